# terma for zsh's plug-in managers, which look for this file in the root of a checkout.
'builtin' 'source' "${${(%):-%x}:A:h}/zsh/terma.plugin.zsh"
