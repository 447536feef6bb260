# terma: what Tab would offer in this fish. `source ask.fish LINE $status`; the letters of ask.bash.
complete --escape -C"$argv[1]" 2>/dev/null | string replace -r '\t.*' '' | head -n 200 | string replace -r '^' 'r '
if test $argv[2] -ne 0
    sh -c "exit $argv[2]"
end
