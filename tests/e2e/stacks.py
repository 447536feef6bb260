"""What people have in their shells beside terma, for the tests: the real thing where a registry has it (`REAL`: what
tests/e2e/neighbours.py fetches; what Debian has is there or not), else a stand-in that does to traps, hooks and widgets
what the real one does, and is named as one. No code of theirs."""

from __future__ import annotations

import re
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
# powerlevel10k: while a line is edited each of its functions ends by making the INT trap its own, whoever else had set
# one meanwhile; its prompt is drawn anew when what it computes behind the prompt is there.
_P10K = """
_p_intro='emulate -L zsh
(( ${+_p_trapped} )) || { local -i _p_trapped; trap : INT; trap "trap ${(q)_p_int:--} INT" EXIT }'
_p_trap() { eval "$_p_intro"; : }
_p_precmd() { eval "$_p_intro"; PROMPT='ready> '; typeset -g _p_int='_p_trap; return 130'; _p_async }
_p_preexec() { eval "$_p_intro"; unset _p_int }
_p_async() { local fd; exec {fd}< <(sleep 0.05; print); zle -F $fd _p_computed }
_p_computed() { eval "$_p_intro"; local fd=$1; zle -F $fd; exec {fd}<&-; if zle; then zle .reset-prompt; zle -R; fi }
_p_hook() { eval "$_p_intro"; : }
autoload -Uz add-zle-hook-widget
for _h in line-init line-pre-redraw line-finish keymap-select; do add-zle-hook-widget $_h _p_hook; done
_p_nothing() { true }
precmd_functions=(_p_nothing _p_precmd $precmd_functions) preexec_functions=(_p_preexec $preexec_functions)
"""
# Its instant prompt: from its first line to the first prompt nothing can be read, and what is printed goes to a file
# (and would be shown as a fault of the start-up file, with twenty lines of advice).
_INSTANT = """
print -n 'ready> '; stty -icanon
exec {_p_in}<&0 {_p_out}>&1 {_p_err}>&2 </dev/null >$HOME/instant 2>&1
_p_real() { exec <&$_p_in >&$_p_out 2>&$_p_err {_p_in}<&- {_p_out}>&- {_p_err}>&-; print -n '\\r\\e[J'
  precmd_functions=(${precmd_functions:#_p_real}) }
"""
_REAL = "precmd_functions+=(_p_real)\n"  # behind all others
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
# What the README says to write for each plug-in manager, with the checkout where it has it.
_README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
_SRC = 'mkdir -p ~/src; ln -sfn "$TREE" ~/src/terma\n'


def _told(manager: str) -> list[str]:
    """The pieces of code in the README's row of `manager`."""
    (row,) = re.findall(rf"^\| {manager} \| (.*) \|$", _README, re.M)
    return re.findall("`([^`]*)`", row)


# A plug-in manager reads the file in a checkout's root within a function; zinit's turbo behind the first prompt.
_ZINIT = """
zinit() { case $1 in ice) _ice=$2 ;;
  light) _dir=${~2}; if [[ ${_ice-} == wait ]]; then precmd_functions+=(_later); else _load; fi ;; esac }
_load() { emulate -L zsh; local ZERO=x; local -a found=($_dir/*.plugin.zsh(N)); builtin source "$found[1]" }
_turbo() { local fd=$1; zle -F $fd; exec {fd}<&-; _load; print -n TURBO > $HOME/turbo }
_later() { local fd; exec {fd}< <(print); zle -F $fd _turbo; precmd_functions=(${precmd_functions:#_later}) }
"""
_ZINIT_LIGHT, _, _ZINIT_ICE = _told("zinit")
_ANTIDOTE = f"""
print -r -- '{_told("antidote")[0]}' > ~/.zsh_plugins.txt
antidote() {{ local line; for line in "${{(@f)$(<~/.zsh_plugins.txt)}}"; do
  local -a found=(${{~line}}/*.plugin.zsh(N)); builtin source "$found[1]"; done }}
antidote load
"""
# oh-my-zsh reads a plug-in by its name, from a folder of the person's.
_CUSTOM = f"""
mkdir -p ~/.oh-my-zsh/custom/plugins; {_told("oh-my-zsh")[0]}; plugins=(git {_told("oh-my-zsh")[1]})
for plugin in $plugins; do
  if [[ -r ~/.oh-my-zsh/custom/plugins/$plugin/$plugin.plugin.zsh ]]; then
    source ~/.oh-my-zsh/custom/plugins/$plugin/$plugin.plugin.zsh; fi; done
"""
# antigen is Debian's zsh-antigen, where that is installed.
_ANTIGEN = SHARE / "zsh-antigen/antigen.zsh"
# An old bash-preexec (as bash-it has it): at the first prompt it puts itself around PROMPT_COMMAND, sets a DEBUG trap
# that forks for the history's last line and takes lines with a blank out of it; the status is lost behind it.
_OLD_PREEXEC = r"""
precmd_functions=() preexec_functions=()
__bp_precmd_invoke_cmd() { __bp_last_ret_value="$?" BP_PIPESTATUS=("${PIPESTATUS[@]}")
  local each; for each in "${precmd_functions[@]}"; do
    if type -t "$each" >/dev/null; then __bp_status "$__bp_last_ret_value"; "$each"; fi; done; }
__bp_status() { return "${1:-}"; }
__bp_interactive_mode() { __bp_on=on; }
__bp_debug() { [[ -t 1 && -z ${COMP_LINE-} && -n ${__bp_on-} ]] || return; __bp_on=
  local line; line=$(HISTTIMEFORMAT= builtin history 1 | sed '1 s/^ *[0-9][0-9]*[* ] //')
  if [[ -n ${__bp_blank-} && $line == ' '* ]]; then
    history -d "$(HISTTIMEFORMAT= builtin history 1 | sed 's/[^0-9]*//; s/[^0-9].*//')"; fi
  local each; for each in "${preexec_functions[@]}"; do if type -t "$each" >/dev/null; then "$each" "$line"; fi; done; }
__bp_install() { local theirs=${PROMPT_COMMAND//$__bp_first}; trap '__bp_debug "$_"' DEBUG
  case ${HISTCONTROL-} in *ignorespace*) __bp_blank=yes HISTCONTROL= ;; esac
  case ${HISTCONTROL-} in *ignoreboth*) __bp_blank=yes HISTCONTROL=ignoredups ;; esac
  PROMPT_COMMAND=$'__bp_precmd_invoke_cmd\n'${theirs#$'\n'}$'\n__bp_interactive_mode'
  precmd_functions+=(precmd); preexec_functions+=(preexec); __bp_precmd_invoke_cmd; __bp_interactive_mode; }
__bp_first=$'trap - DEBUG\n__bp_install'
PROMPT_COMMAND=${PROMPT_COMMAND:+$PROMPT_COMMAND$'\n'}$__bp_first
"""
_NVM = """
nvm() { return 3; }; nvm_auto() { local was=$?; nvm use >/dev/null 2>&1; return $was; }
cd() { builtin cd "$@" && nvm_auto; }
"""
# ble.sh edits the line itself: tests/e2e/ble.bash has what that means for others.
_BLE = _read(Path(__file__).with_name("ble.bash"))
_BLE_ATTACH = "PROMPT_COMMAND+=$'\\n_b_attach'\n"

SUGGEST = _read(SHARE / "zsh-autosuggestions/zsh-autosuggestions.zsh")
HIGHLIGHT = _read(SHARE / "zsh-syntax-highlighting/zsh-syntax-highlighting.zsh")

# name: what stands before terma in the start-up file, what behind it; None where the stack itself loads terma.
ZSH: dict[str, tuple[str, str | None]] = {
    "oh-my-zsh (stand-in)": (_OMZ, ""),
    "powerlevel10k with instant prompt (stand-in)": (_INSTANT + _P10K, _REAL),
    "powerlevel10k (stand-in)": (_P10K, ""),
    "powerlevel10k behind (stand-in)": ("", _P10K),
    "autosuggestions and syntax-highlighting": (SUGGEST + HIGHLIGHT, ""),
    "autosuggestions and fast-syntax-highlighting (stand-in)": (_FAST, SUGGEST),
    "fzf": (_read(FZF / "key-bindings.zsh"), ""),
    "fzf-tab (stand-in)": ("", _FZF_TAB),
    "zsh-vi-mode (stand-in)": ("", _VI_MODE),
    "zsh-autocomplete (stand-in)": (_AUTOCOMPLETE, ""),
    "atuin (stand-in)": (_ATUIN, ""),
    "zinit (stand-in)": (f"{_SRC}{_ZINIT}{_ZINIT_LIGHT}\n", None),
    "zinit's turbo (stand-in)": (f"{_SRC}{_ZINIT}{_ZINIT_ICE}\n{_ZINIT_LIGHT}\n", None),
    "antidote (stand-in)": (_SRC + _ANTIDOTE, None),
    "oh-my-zsh's plugins (stand-in)": (_SRC + _OMZ + _CUSTOM, None),
    "nvm (stand-in)": (_NVM, ""),
    _named("direnv"): ("", _init("direnv", "direnv hook zsh", _HOOK_ZSH)),
    _named("zoxide"): ("", _init("zoxide", "zoxide init zsh", _HOOK_ZSH)),
    "mise, starship (stand-in)": ("", _HOOK_ZSH),
}
BASH: dict[str, tuple[str, str]] = {
    "ble.sh (stand-in)": (_BLE, _BLE_ATTACH),
    "bash-it, old bash-preexec (stand-in)": (_OLD_PREEXEC, ""),
    "old bash-preexec behind (stand-in)": ("", _OLD_PREEXEC),
    "old bash-preexec where blanks are private (stand-in)": ("HISTCONTROL=ignoreboth\n" + _OLD_PREEXEC, ""),
    "fzf": (_read(FZF / "key-bindings.bash"), ""),
    "nvm (stand-in)": (_NVM, ""),
    _named("direnv"): ("", _init("direnv", "direnv hook bash", _HOOK_BASH)),
    _named("zoxide"): ("", _init("zoxide", "zoxide init bash", _HOOK_BASH)),
    "mise, starship (stand-in)": ("", _HOOK_BASH),
}


def _eval(line: str) -> str:
    return f'eval "$({line})"\n'


# What a registry has, as it is: the shell, what stands before terma and what behind it; the folder is on PATH.
REAL: dict[str, tuple[str, str, str]] = {
    "atuin, zsh": ("zsh", _eval("atuin init zsh"), ""),
    "atuin behind, zsh": ("zsh", "", _eval("atuin init zsh")),
    "starship, zsh": ("zsh", _eval("starship init zsh"), ""),
    "mise, zsh": ("zsh", "", _eval("mise activate zsh")),
    "bash-preexec, bash": ("bash", '. "$(type -P bash-preexec.sh)"\n', ""),
    "bash-preexec behind, bash": ("bash", "", '. "$(type -P bash-preexec.sh)"\n'),
    "atuin on bash-preexec, bash": (
        "bash",
        f'. "$(type -P bash-preexec.sh)"\n{_eval("atuin init bash")}',
        "",
    ),
    "atuin, bash": ("bash", _eval("atuin init bash"), ""),
    "starship, bash": ("bash", "", _eval("starship init bash")),
    "mise, bash": ("bash", "", _eval("mise activate bash")),
}
if _ANTIGEN.exists():
    ZSH["antigen"] = (f"{_SRC}{_read(_ANTIGEN)}{_told('antigen')[0]}\n{_told('antigen')[2]}\n", None)
