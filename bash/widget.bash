# terma: Ctrl+T. The sentence on the prompt goes to the agent; the same key on its answer asks for another one. On an
# empty prompt behind a failure it asks for the fix, behind an answer of a conversation for its code.
# The parts share variables: what one assigns, another reads.
# shellcheck shell=bash disable=SC2034,SC2154

_terma_sentence='' _terma_sentence_point=0 _terma_drawn='' _terma_drawn_kind='' _terma_attempt=0 _terma_id=0
# The whole answer before the one that is asked for: it was paid for, and comes back when the next one is cancelled.
_terma_kept='' _terma_kept_note='' _terma_kept_attempt=0 _terma_shown_note=''

# _terma_ask STATUS KEYMAP. Status 3 when there is no sentence and a command of bind -x had the key.
_terma_ask() {
  local -
  set +eEuxvT +o posix 2>/dev/null
  local IFS=$' \t\n' REPLY map=$2
  local sentence=$READLINE_LINE point=$READLINE_POINT keys='' stop=''
  local r='' pid='' idle='' idle_pid='' on_interrupt='' kind=translate error=''
  local -a patience=(-t 0.3)
  local prompt='' prompt_rows=0 prompt_column=0 below=0 tty=''
  local typed='' replay='' note='' risk='' text='' again=''
  _terma_unhook_keys
  if [[ -n $_terma_replaying ]]; then
    bind -m "$_terma_replaying" "\"$_terma_second\": \"\""
    _terma_replaying=
  fi
  if [[ -z ${_terma_fixes-} && -n $_terma_fix_shown ]]; then # of a command that is no longer the last one
    if [[ $_terma_drawn == "$_terma_fix_shown" ]]; then _terma_drawn=''; fi
    _terma_fix_shown=''
  fi
  if [[ -n $_terma_again ]]; then
    kind=$_terma_again _terma_again=''
    if [[ $kind == next ]]; then _terma_step_fix "$1" "$_terma_step"; return; fi
    _terma_go_on
  elif [[ -n ${_terma_fixes-} && -n $_terma_fix_shown && $sentence == "$_terma_fix_shown" ]]; then
    if [[ $map == vi-command ]]; then _terma_step_fix "$1" "$_terma_step"; else _terma_undo_first next; fi
    return
  elif [[ -n $_terma_drawn && $sentence == "$_terma_drawn" ]]; then
    kind=$_terma_drawn_kind
    if ((_terma_attempt + _terma_step < 0)); then
      _terma_step=1
      _terma_leave_screen "$sentence" 'terma: this is the first answer; Ctrl+C gives your words back'
      _terma_hook_keys
      return
    fi
    _terma_kept=$_terma_drawn _terma_kept_note=$_terma_shown_note _terma_kept_attempt=$_terma_attempt
    if ((_terma_step > 0)) && _terma_is_quick; then _terma_asks_list=1 _terma_attempt=0; fi
    if [[ $map != vi-command ]]; then
      _terma_undo_first "$kind"
      return
    fi
    _terma_go_on
  elif [[ -n $_terma_near && $sentence == "$_terma_near" ]]; then
    _terma_take_near "$1" || return
  elif [[ $sentence == *[![:space:]]* ]]; then
    _terma_begin
  elif [[ -n ${_terma_fixes-} ]]; then
    _terma_step_fix "$1" 0
    return
  elif _terma_has_answer || _terma_has_failed; then
    kind=fix
    _terma_begin
  else
    _terma_ask_nothing
    return
  fi
  _terma_drawn_kind=$kind
  _terma_converse "$1"
  if [[ $stop == displaced && -z $replay ]]; then _terma_pass_on; fi
}

# To the next candidate, or the one before.
_terma_go_on() {
  if ((_terma_step < 0)); then again=1; fi
  _terma_attempt=$((_terma_attempt + _terma_step))
  _terma_step=1
}

# A sentence, or the empty prompt, that was not asked about before.
_terma_begin() {
  _terma_wants_near=0 _terma_near='' _terma_attempt=0 _terma_sentence=$sentence _terma_kept='' _terma_step=1 _terma_wants_list='' _terma_asks_list=''
  _terma_is_quick # the first press
  _terma_point_from_readline
  _terma_sentence_point=$point
}

# Whether a conversation was asked by the last line: `make | terma "…"` ran the question in a subshell, and behind its folder
# terma is no function of ours: the line tells.
_terma_has_answer() {
  if [[ -n $_terma_answered ]]; then return 0; fi
  if [[ $_terma_status != 0 || -n $_terma_unfixable ]]; then return 1; fi
  local command='' status='' statuses='' duration='' command_dir='' asked=''
  local set='[A-Za-z_][A-Za-z0-9_]*=[^[:space:]]*' by='(command|nice|env)' end='([[:space:]]|$)'
  local path='([^[:space:]]*/)?(python[0-9.]*[[:space:]]+-m[[:space:]]+)?terma'
  _terma_recall
  if [[ $command =~ ^(($set|$by)[[:space:]]+)*$path$end || $command =~ \|\&?[[:space:]]*$path$end ]]; then _terma_answered=1; else return 1; fi
}

# Whether there is something to mend: an interrupted (^C) or stopped (^Z) command is not; nor one whose fix was asked for
# in vain, so that the key's old owner is within reach.
_terma_has_failed() {
  if [[ -n $_terma_unfixable ]]; then return 1; fi
  if [[ -n $_terma_unread ]]; then return 0; fi
  case $_terma_status in '' | 0 | 130 | 148) return 1 ;; esac
}

# _terma_undo_first KIND. For another candidate readline first takes back the last one and then comes again: so the
# sentence is one undo away, whatever the number of the candidate.
_terma_undo_first() {
  bind -m "$map" "\"$_terma_third\": undo"
  bind -m "$map" "\"$_terma_second\": \"$_terma_third$_terma_first$_terma_second\""
  _terma_replaying=$map _terma_again=$1
}

# _terma_converse STATUS: asks until it is not asked again, then leaves the result to readline.
_terma_converse() {
  local phase partial heard started said dirty request cancelled interrupted
  while :; do
    stop='' text='' partial='' heard='' started='' said='' risk='' dirty='' cancelled='' interrupted=''
    _terma_forget_items
    _terma_half='' _terma_half_line=''
    if [[ -z $idle ]]; then _terma_take_interrupt; fi # first: a ^C while <( ) is opened on a key makes bash leave
    _terma_open
    if [[ -z $idle ]]; then # all of it while the agent thinks
      _terma_open_idle
      _terma_read_prompt "$1"
    fi
    if [[ -z $stop ]]; then _terma_draw "$sentence" "$note"; fi
    _terma_run
    if [[ $stop == list ]]; then _terma_choose; fi
    _terma_settle
    if [[ $stop == told ]]; then break; fi
    _terma_draw "$sentence" "$risk$note"
    if [[ $stop == displaced || $kind == explain ]]; then break; fi
    if [[ -n $_terma_wants_list && $stop == 'done' ]]; then
      _terma_attempt=1 _terma_asks_list=1 _terma_wants_list=''
      continue
    fi
    if [[ $stop != again ]]; then # else it is asked again at once, by a press that was counted
      _terma_guard
      _terma_show_tall
      if [[ $stop == again && -z $_terma_near ]] && _terma_is_quick; then _terma_asks_list=1 _terma_attempt=0; fi
    fi
    if [[ $stop == again && -n $_terma_near ]]; then
      if _terma_take_near_now; then continue; fi
    elif [[ $stop == again ]]; then
      _terma_attempt=$((_terma_attempt + 1))
      continue
    fi
    break
  done
  if [[ $stop == cancel && -z $_terma_kept ]]; then _terma_take_late_interrupt; fi
  _terma_hand_over
  if [[ -n $_terma_clear ]]; then _terma_hook_keys; fi # ^C stays a key, without a moment between
  _terma_give_interrupt
  _terma_close_idle
  if [[ -n $interrupted && -z $_terma_kept ]]; then kill -INT $$; fi # the second ^C
}

# Connects and asks, or starts an agent first; says in stop why neither can be.
_terma_open() {
  local REPLY
  local -a named=()
  _terma_id=$((_terma_id + 1))
  phase=stream note='terma · asking · Ctrl+G cancels' _terma_pieces=() _terma_piece_levels=()
  if [[ $kind == translate || $kind == explain ]]; then _terma_list_named "$_terma_sentence"; fi
  case $kind in
    translate) _terma_request translate "buffer=$_terma_sentence" "attempt=$_terma_attempt" ${again:+"again=1"} \
      "displaced=${_terma_displaced[$map]:+1}" "list=${_terma_asks_list:-0}" "second=$_terma_wants_near" \
      explain=1 half=1 "${named[@]}" ;;
    explain) note='' && _terma_request explain "buffer=$_terma_sentence" "${named[@]}" ;;
    fix) _terma_request fix "attempt=$_terma_attempt" ${_terma_answered:+"answered=1"} ;;
    why) _terma_request why ;;
  esac
  if (($?)); then
    _terma_fail 'the line is too long to send'
    return
  fi
  request=$REPLY _terma_asks_list=''
  _terma_connect "$request"
  case $? in
    1) _terma_begin_start ;;
    2) _terma_fail "the agent's socket belongs to someone else; set TERMA_SOCKET to a path of your own" ;;
    3) _terma_fail 'bash needs nc with -U, or socat, or TERMA_PYTHON=/path/to/python3, to reach the agent' ;;
  esac
}

# What the end of the stream means for the line: sentence and point.
_terma_settle() {
  if [[ $stop != typed ]]; then _terma_half=''; fi
  case $stop in
    done) sentence=$text _terma_drawn=$text ;;
    typed)
      _terma_drawn=$text note=$_terma_half
      if [[ $kind != explain ]]; then sentence=${text:-$sentence} point=${#sentence}; fi ;;
    cancel | displaced) _terma_put_back; note=$_terma_shown_note ;;
    near) _terma_put_back; _terma_near=$sentence ;;
    error | told) _terma_put_back ;;
  esac
}

# The answer before, or the sentence as it was before the key was first pressed on it.
_terma_put_back() {
  sentence=$_terma_sentence point=$_terma_sentence_point text='' risk='' _terma_drawn='' _terma_shown_note=''
  if [[ -n $_terma_kept ]]; then
    sentence=$_terma_kept point=${#_terma_kept} _terma_drawn=$_terma_kept _terma_attempt=$_terma_kept_attempt
    _terma_shown_note=$_terma_kept_note
  fi
}

# The line goes to readline, with what was typed meanwhile.
_terma_hand_over() {
  if [[ $stop == cancel ]]; then
    _terma_put_back
    note=$_terma_shown_note
  fi
  _terma_sort_keys
  if [[ -n $typed ]]; then
    sentence=${sentence:0:point}$typed${sentence:point}
    point=$((point + ${#typed})) _terma_drawn=''
    if [[ -n $_terma_near ]]; then note='' _terma_near=''; fi
  fi
  if [[ -n $replay ]]; then _terma_replay; else _terma_count_from_now; fi
  _terma_end_half
  _terma_shown_note=$risk$note
  if [[ $stop == told && -z $typed$replay ]]; then
    _terma_told=$sentence
    _terma_lay_pieces
    _terma_leave_screen "$sentence" '' "$REPLY" "${#_terma_pieces[@]}"
  else
    if [[ -n $_terma_touched ]]; then note='' risk=''; fi # what stood below the line has left with it
    _terma_leave_screen "$sentence" "$risk$note"
  fi
  _terma_touched=''
  READLINE_LINE=$sentence
  _terma_point_to_readline
  READLINE_POINT=$point
  _terma_bind_undo
}

_terma_bind_undo() {
  if [[ -n $_terma_drawn && $map == vi-* ]]; then bind -m vi-command -x '"\C-_": _terma_undo'; fi
}

# ^_ in vi-command mode, where readline's own undo stops at the end of an insertion: the sentence for its answer. On any
# other line the key is readline's again.
_terma_undo() {
  if [[ -n $_terma_drawn && $READLINE_LINE == "$_terma_drawn" ]]; then
    READLINE_LINE=$_terma_sentence
    READLINE_POINT=0
    _terma_drawn=''
  else
    bind -m vi-command -r '\C-_'
    bind -m vi-command '"\C-_": vi-undo'
  fi
}

# bash 4.4 counts READLINE_POINT in bytes, later ones in characters; point is in characters.
_terma_point_from_readline() {
  if ((BASH_VERSINFO[0] > 4)); then return 0; fi
  local head
  head=$(LC_ALL=C; \printf %s. "${READLINE_LINE:0:point}")
  head=${head%.}
  point=${#head}
}

_terma_point_to_readline() {
  if ((BASH_VERSINFO[0] > 4)); then return 0; fi
  local head=${sentence:0:point} LC_ALL=C
  point=${#head}
}

# _terma_pass_on: what the key did before us. Status 3 when that is a command of bind -x, 1 when there is nothing.
_terma_pass_on() {
  local before=${_terma_displaced[$map]-}
  case $before in
    'x '*) return 3 ;;
    'b '*)
      bind -m "$map" "\"$_terma_second\": ${before#b }"
      _terma_replaying=$map ;;
    *) return 1 ;;
  esac
}

# The key on an empty prompt.
_terma_ask_nothing() {
  _terma_pass_on
  case $? in
    3) return 3 ;;
    1)
      _terma_read_prompt 0
      _terma_leave_screen '' "terma: type what you want, then press $_terma_key_name" ;;
  esac
}
