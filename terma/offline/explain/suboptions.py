"""Options that people use of well-known subcommands, for a machine that has neither the program nor its page."""

from __future__ import annotations

# For programs whose subcommands have options of their own, which no manual page of one name lists.
_RUN = (
    "--name --publish --env --env-file --volume --detach --interactive --tty --rm --network --restart --entrypoint --user"
    " --workdir --mount --memory --cpus --gpus --hostname --link --label --privileged --pull --platform --read-only --init"
)
OPTIONS = {
    "docker run": _RUN, "podman run": _RUN, "docker create": _RUN,
    "docker build": "--tag --file --build-arg --no-cache --pull --target --platform --progress --quiet --rm --secret --output",
    "docker ps": "--all --filter --format --last --latest --no-trunc --quiet --size", "docker logs": "--follow --tail --since --until --timestamps --details",
    "docker exec": "--interactive --tty --user --workdir --env --detach --privileged", "docker images": "--all --filter --format --no-trunc --quiet --digests",
    "git commit": "--all --amend --message --no-edit --no-verify --author --date --signoff --patch --allow-empty --fixup --squash --verbose --dry-run --only --include",
    "git log": "--oneline --graph --all --stat --patch --author --since --until --grep --decorate --follow --reverse --name-only --name-status --merges --no-merges --pretty --format --abbrev-commit",
    "git push": "--force --force-with-lease --set-upstream --tags --delete --all --dry-run --no-verify --follow-tags --mirror --prune --quiet",
    "git pull": "--rebase --no-rebase --ff-only --no-ff --all --tags --prune --autostash --quiet --verbose --squash --allow-unrelated-histories",
    "git reset": "--hard --soft --mixed --merge --keep --patch --quiet", "git rebase": "--interactive --continue --abort --skip --onto --autostash --autosquash --root --quit",
    "git diff": "--staged --cached --stat --name-only --name-status --word-diff --color --ignore-all-space --no-index --exit-code --summary --check",
    "git branch": "--all --delete --move --remotes --list --merged --no-merged --contains --set-upstream-to --unset-upstream --show-current --verbose --force --copy",
    "git checkout": "--orphan --track --force --detach --patch --ours --theirs --quiet --merge", "git stash": "--include-untracked --all --patch --keep-index --message --quiet",
    "git clone": "--depth --branch --recursive --recurse-submodules --bare --mirror --single-branch --shallow-since --no-checkout --quiet --jobs --origin",
    "git merge": "--no-ff --ff-only --squash --abort --continue --no-commit --allow-unrelated-histories --strategy --quiet", "git add": "--all --patch --update --force --intent-to-add --interactive --verbose --dry-run",
    "git fetch": "--all --prune --tags --depth --unshallow --force --dry-run", "git clean": "--force --dry-run --interactive --exclude --quiet",
    "npm install": "--save-dev --save --global --legacy-peer-deps --force --production --omit --no-save --save-exact --ignore-scripts --no-audit",
    "cargo build": "--release --target --features --all-features --no-default-features --workspace --package --bin --example --verbose --jobs --offline --locked --frozen",
    "pip install": "--upgrade --user --requirement --editable --no-cache-dir --index-url --extra-index-url --target --pre --force-reinstall --no-deps --break-system-packages --quiet",
    "kubectl get": "--all-namespaces --namespace --output --selector --watch --show-labels --field-selector --sort-by --context --kubeconfig --no-headers",
    "kubectl apply": "--filename --kustomize --recursive --dry-run --namespace --server-side --force --prune", "kubectl logs": "--follow --tail --since --container --previous --timestamps --namespace --selector",
    "pytest": "--verbose --quiet --maxfail --exitfirst --last-failed --failed-first --collect-only --durations --cov --capture --tb --markers --fixtures --pdb --junitxml --ignore --import-mode",
}  # fmt: skip
for _name in ("cargo run", "cargo test", "cargo check", "cargo bench"):
    OPTIONS[_name] = OPTIONS["cargo build"] + " --lib --bins --tests --no-run"
OPTIONS["pip3 install"] = OPTIONS["pip install"]
