# Installs the window in a fresh Debian, and draws a picture of a game with it, by the
# software renderer of Mesa; ends at the first failure.
cd /packages
apt-get install --yes --no-install-recommends ./touchboard_*.deb mesa-vulkan-drivers
id player || useradd --create-home player
as_player() { su player -c "cd; $1"; }

as_player "touchboard --version"
as_player "printf 'set game=reversi\nstart\nwait 500\n' >game.txt"
as_player "touchboard --headless --mute --quality plain --size 640x400 --scenario game.txt --screenshot game.png"
# A picture of one colour would have less than a tenth of this.
test "$(stat -c %s /home/player/game.png)" -gt 50000

for file in applications/touchboard.desktop icons/hicolor/scalable/apps/touchboard.svg \
    mime/packages/touchboard.xml; do
    test -s "/usr/share/$file"
done
dpkg --listfiles touchboard | grep -q '^/usr/share/man/man1/touchboard.1.gz$'

apt-get purge --yes touchboard
test ! -e /usr/bin/touchboard
