# terma: remembers the last command's exit status, duration and directory. Plain variables, no fork, no DEBUG trap.
# PS0 notes the start, PROMPT_COMMAND the end. The command itself is read from the history when it is asked for.
# The parts share variables: what one assigns, another reads.
# shellcheck shell=bash disable=SC2034,SC2154

_terma_status='' _terma_duration='' _terma_command_dir='' _terma_event='' _terma_command_event=''
_terma_began='' _terma_clear='' _terma_dir_now=$PWD
_terma_on=1       # must be set: PS0's expression hides in its (empty) substring
_terma_bang='\!'  # expanded with @P: the number of the next history entry, without a fork

# First in PROMPT_COMMAND; returns the status it found, for those behind it.
_terma_precmd() {
  local code=$?
  if [[ -n $_terma_clear ]]; then
    printf %s "$_terma_clear" >&2 # an empty line or ^C never reached PS0
    _terma_clear=''
  fi
  # Without a start nothing ran since the last prompt (an empty Enter, ^C): what is remembered stands.
  if [[ -n $_terma_began ]]; then
    local now=${EPOCHREALTIME:-${SECONDS}000000}
    now=${now//[!0-9]/}
    _terma_status=$code _terma_duration=$((now - _terma_began)) _terma_command_dir=$_terma_dir_now
    _terma_began=''
    # A number that did not move: the command is not in the history (HISTCONTROL), or a repetition.
    now=$_terma_event
    _terma_event=${_terma_bang@P}
    if [[ $now != "$_terma_event" ]]; then
      _terma_command_event=new
    elif [[ ${HISTCONTROL-} == *ignorespace* || ${HISTCONTROL-} == *ignoreboth* || -n ${HISTIGNORE-} ]]; then
      _terma_command_event=''
    fi
  fi
  _terma_dir_now=$PWD
  if [[ -n $_terma_unbound ]]; then _terma_bind; fi
  return "$code"
}

_terma_install_hooks() {
  local start='SECONDS*1000000+1'
  # shellcheck disable=SC2016 # for PS0 to expand
  if [[ -n ${EPOCHREALTIME-} ]]; then start='${EPOCHREALTIME/[.,]/}'; fi
  if shopt -q promptvars && [[ ${PS0-} != *_terma_began* ]]; then
    # shellcheck disable=SC2016 # for PS0 to expand
    PS0='${_terma_clear}${_terma_on:((_terma_began='$start',0)):0}'${PS0-}
  fi
  # A list stays a list and a string a string; "$_" is passed through for what follows.
  if [[ "${PROMPT_COMMAND[*]-}" != *_terma_precmd* ]]; then
    # shellcheck disable=SC2016 # for the prompt to expand
    PROMPT_COMMAND[0]='_terma_precmd "$_"'${PROMPT_COMMAND:+$'\n'$PROMPT_COMMAND}
  fi
}
