# terma: the marks of a session's fish (OSC 133 with a nonce). Private mode keeps the person's history as it is.
set -g _terma_session_mark ";terma=$TERMA_SESSION_MARK"
set -e TERMA_SESSION_MARK
set -e TERMA_SESSION_HOOKS
set -e TERMA_SESSION_DROPS

function _terma_session_preexec --on-event fish_preexec
    printf '\e]133;C%s\a' $_terma_session_mark
    set -g _terma_session_before $status_generation
end

function _terma_session_told --argument-names code
    set -g _terma_session_ended 1
    printf '\e]133;D;%s%s\a' $code $_terma_session_mark
end

# An empty line and an error of syntax have no postexec.
function _terma_session_prompt --on-event fish_prompt
    set -l code $status
    if not set -q _terma_session_ended
        printf '\e]133;D;%s%s\a' $code $_terma_session_mark
    end
    set -e _terma_session_ended
    printf '\e]133;B%s\a' $_terma_session_mark
end

# What sets no status (a job put in the background, `set`) leaves that of the command before: it went well.
function _terma_session_postexec --on-event fish_postexec
    set -l code $status
    if set -q status_generation; and test "$status_generation" = "$_terma_session_before"
        set code 0
    end
    _terma_session_told $code
end

# Ctrl+C drops what was written and draws no new prompt.
function _terma_session_cancel --on-event fish_cancel
    _terma_session_told $status
    set -e _terma_session_ended
    printf '\e]133;B%s\a' $_terma_session_mark
end

# An error of syntax has been told by now; the line stands there still, to be mended, with a prompt of no event.
function _terma_session_error --on-event fish_posterror
    printf '\e]133;A;k=c;wrong=1%s\a' $_terma_session_mark
end
