# Installs and uses the tools in a fresh Debian; ends at the first failure.
cd /packages
sha256sum --check SHA256SUMS
apt-get install --yes --no-install-recommends ./touchboard-tools_*.deb
useradd --create-home player
as_player() { su player -c "cd; $1"; }

as_player "hil-bridge --version"
# The core in this process, and a board in a process of its own. It has a TCP port, because
# pseudo-terminals of this system belong to root.
as_player "hil-bridge check --steps 500 --seed 1"
as_player "virtual-board --no-pty --tcp 127.0.0.1:0 >board.txt & echo \$! >board.pid"
# The board ends with the script, however that ends.
trap 'kill "$(cat /home/player/board.pid)" 2>/dev/null || true' EXIT
until grep -q tcp /home/player/board.txt; do sleep 0.1; done
as_player "hil-bridge check --at \$(sed 's/tcp /tcp:/' board.txt) --steps 200 --seed 1"
as_player "printf 'set game=reversi\nstart\nexpect turn green\n' | hil-bridge shell"
as_player "ludemes report /usr/share/doc/touchboard-tools/games/hex.lud --games 20"
as_player "hil-bridge mcp --help" | grep -q agents

# Pages and scripts are where the system looks for them.
for page in hil-bridge hil-bridge-check ludemes virtual-board; do
    dpkg --listfiles touchboard-tools | grep -q "^/usr/share/man/man1/$page.1.gz$"
done
for script in bash-completion/completions/hil-bridge zsh/vendor-completions/_hil-bridge \
    fish/vendor_completions.d/hil-bridge.fish; do
    test -s "/usr/share/$script"
done
bash -n /usr/share/bash-completion/completions/hil-bridge
test -s /usr/lib/udev/rules.d/60-touchboard.rules

# Programs of the archive run without installation, too.
mkdir /unpacked
tar -xzf touchboard-tools-*.tar.gz -C /unpacked
/unpacked/*/bin/hil-bridge --version

apt-get purge --yes touchboard-tools
test ! -e /usr/bin/hil-bridge
