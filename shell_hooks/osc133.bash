# terma: the marks that `terma shell` reads: OSC 133 with a nonce, from PS0 and PROMPT_COMMAND, no fork.
# Loaded in a recorded shell alone. A shell in another terminal (a tmux within, say) inherits the names but is not
# recorded: there they are taken away, so that nobody takes the other terminal's recording for its own.
# PS0 cannot call a function without a fork, so the command line follows with the mark that ends it.
# shellcheck shell=bash disable=SC2034

# First in PROMPT_COMMAND; returns the status it found, for those behind it.
_terma_mark_precmd() {
  local code=$? marks='' REPLY=''
  if [[ -n $_terma_mark_open ]]; then
    _terma_mark_line
    marks=";cmdline_url=$REPLY"
    if [[ -z $REPLY ]]; then marks=''; fi
    _terma_mark_encode "$_terma_mark_dir"
    marks=$'\e]133;D;'$code$_terma_marks$marks";cwd_url=$REPLY"$'\a'
    _terma_mark_open=''
  else
    _terma_mark_number=$HISTCMD
  fi
  if [[ ${PS1-} != *'133;A'* ]]; then marks+=$'\e]133;A'$_terma_marks$'\a'; fi # the prompt may have marks of its own
  if [[ -t 2 ]]; then printf %s "$marks" >&2; fi
  _terma_mark_dir=$PWD
  _terma_mark_ps0
  return "$code"
}

# _terma_mark_line -> REPLY: the command line that ran, encoded; empty when the history does not hold it.
# `history` can only print: it prints to a piece of the recorder's memory, which is read back.
_terma_mark_line() {
  local number=$HISTCMD line=''
  if [[ ! -o history ]]; then
    _terma_mark_last=''
  elif [[ $number == "$_terma_mark_number" ]]; then
    # A number that did not move: a repetition, or a line that the user keeps out of the history.
    if [[ ${HISTCONTROL-} == *ignorespace* || ${HISTCONTROL-} == *ignoreboth* || -n ${HISTIGNORE-} ]]; then
      _terma_mark_last=''
    fi
  else
    _terma_mark_number=$number
    _terma_mark_last=''
    if { HISTTIMEFORMAT='' \builtin history 1 >|"$TERMA_RECORDING_PAD"; } 2>/dev/null; then
      { IFS='' read -r -d '' -n 4096 line <"$TERMA_RECORDING_PAD"; } 2>/dev/null
      line=${line#"${line%%[0-9]*}"}
      line=${line#"${line%%[!0-9]*}"}
      line=${line:2} # a blank or a star, and a blank
      _terma_mark_encode "${line%$'\n'}"
      _terma_mark_last=$REPLY
    fi
  fi
  REPLY=$_terma_mark_last
}

# _terma_mark_encode TEXT -> REPLY: percent-encoded, byte by byte; the first 2048 of them.
_terma_mark_encode() {
  local LC_ALL=C rest head char
  rest=${1:0:2048} REPLY=''
  while [[ $rest == *[!A-Za-z0-9\ _./:=,@+-]* ]]; do
    head=${rest%%[!A-Za-z0-9\ _./:=,@+-]*}
    printf -v char %d "'${rest:${#head}:1}"
    printf -v char %%%02X $((char & 255))
    REPLY+=$head$char
    rest=${rest:${#head}+1}
  done
  REPLY+=$rest
}

# Behind the rest of PS0: what that prints is not the command's output.
_terma_mark_ps0() {
  if [[ ${PS0-} != *"$_terma_marks"* ]]; then
    # shellcheck disable=SC2016 # for PS0 to expand
    PS0=${PS0-}'${_terma_marks:((_terma_mark_open=1,0)):0}\e]133;C'$_terma_marks'\a'
  fi
}

_terma_mark_setup() {
  if [[ -n ${_terma_marks-} ]] || ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] < 404)) || ! shopt -q promptvars; then
    return 0
  fi
  if [[ -z ${TERMA_RECORDING_TTY-} || ! /dev/fd/0 -ef $TERMA_RECORDING_TTY ]]; then
    unset TERMA_RECORDING TERMA_RECORDING_TTY TERMA_RECORDING_HOOKS TERMA_RECORDING_PAD
    return 0
  fi
  local nonce=${TERMA_RECORDING##*-}
  _terma_marks=";terma=${nonce%.sock};aid=$$" _terma_mark_open='' _terma_mark_number='' _terma_mark_last=''
  _terma_mark_dir=$PWD
  # shellcheck disable=SC2016 # for the prompt to expand
  local call='_terma_mark_precmd "$_"'
  # A list stays a list (this is its first entry) and a string a string.
  # shellcheck disable=SC2178,SC2128
  PROMPT_COMMAND=$call${PROMPT_COMMAND:+$'\n'$PROMPT_COMMAND}
  _terma_mark_ps0
}
_terma_mark_setup
