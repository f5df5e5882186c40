"""The completions, tested in their own shells, and the man page."""
import fcntl
import os
import pathlib
import pty
import re
import select
import signal
import struct
import subprocess
import tempfile
import termios
import unittest

from support import SIMSCOPE, errors_of, main, needs, run

FOLDER = str(pathlib.Path(SIMSCOPE).parent)


def offered(*words):
    """The answer to the scripts: whether file names are valid, and the words."""
    kind, *lines = run(SIMSCOPE, "complete-words", *words).splitlines()
    return kind == "files", [line.split("\t")[0] for line in lines]


def commands():
    return [word for word in offered("")[1] if re.search(rf"(?m)^  {word}\b", run(SIMSCOPE, "--help"))]


def options_of(command):
    """(--name, its value) of each option, from its help."""
    found = []
    for names, value in re.findall(r"(?m)^  ((?:-\w,)?--[\w-]+(?:,--[\w-]+)*)(?: ([A-Z]\S*))?", run(SIMSCOPE, command, "--help")):
        found += [(name, value) for name in names.split(",") if name.startswith("--")]
    return found


class Words(unittest.TestCase):
    def test_are_commands_simulations_and_files_at_first(self):
        files, words = offered("")
        self.assertTrue(files)
        for word in ("render", "doctor", "completion", "help", "tunneling", "heat"):
            self.assertIn(word, words)
        self.assertNotIn("complete-words", words)
        self.assertEqual(offered("rend"), (True, ["render"]))
        self.assertEqual(offered("help", "verif")[1], ["verify"])

    def test_are_all_options_of_every_command(self):
        self.assertGreater(len(commands()), 10)
        for command in commands():
            self.assertEqual(set(offered(command, "-")[1]), {name for name, _ in options_of(command)}, command)

    def test_are_values_of_every_option_that_is_no_number(self):
        numbers = {"N", "F", "K", "S", "LEVELS", "STOPS", "SIZE", "TIME", "WxH", "RATE,LATENCY", "AZ:EL[:ZOOM[:X:Y:Z]]"}
        tried = 0
        for command in commands():
            first = ["fourier_filters"] if command == "lab" else ["tunneling"]
            for option, value in options_of(command):
                if not value or value in numbers:
                    continue
                tried += 1
                files, words = offered(command, *first, option, "")
                self.assertTrue(files or words, f"nothing is offered for {command} {option} {value}")
        self.assertGreater(tried, 50)

    def test_of_a_simulation_are_its_own(self):
        self.assertEqual(offered("render", "tunneling", "--preset", "reso")[1], ["resonant_double_barrier"])
        self.assertEqual(offered("tunneling", "--preset", "reso")[1], ["resonant_double_barrier"])
        self.assertEqual(offered("render", "heat", "--preset", "reso")[1], [])
        self.assertIn("barrier_height=", offered("run", "tunneling", "--steps", "5", "--set", "barrier")[1])
        self.assertEqual(offered("run", "tunneling", "--set", "potential=do")[1], ["potential=double_barrier"])
        self.assertEqual(offered("run", "tunneling", "--set", "absorbing_edges=")[1], ["absorbing_edges=on", "absorbing_edges=off"])
        self.assertEqual(offered("judge", "psi.npy", "--scene", "tunneling:reso")[1], ["tunneling:resonant_double_barrier"])
        self.assertIn("transmission", offered("sweep", "tunneling", "--measure", "")[1])

    def test_may_stand_behind_an_equals_sign(self):
        self.assertEqual(offered("render", "heat", "--theme=sl"), (False, ["--theme=slides"]))

    def test_that_make_no_sense_are_followed_by_nothing_and_no_error(self):
        for words in (["fly", "--me", ""], ["--", ""], ["run", "--steps", "--", "="], ["render", "=", ":"], ["\n", "\t"]):
            run(SIMSCOPE, "complete-words", *words)
        self.assertEqual(offered("help", "render", ""), (False, []))

    def test_of_an_unknown_shell_are_refused_with_the_known_ones(self):
        self.assertIn("did you mean 'fish'?", errors_of(SIMSCOPE, "completion", "fihs", status=2))


class Typist:
    """A shell in a pseudo-terminal."""

    def __init__(self, words, folder):
        self.all = ""
        try:
            self.child, self.terminal = pty.fork()
        except OSError as error:  # a bare root without /dev/pts
            raise unittest.SkipTest(f"there is no pseudo-terminal here: {error}") from None
        if self.child == 0:
            os.chdir(folder)
            os.execvpe(words[0], words, {"PATH": f"{FOLDER}:/usr/bin:/bin", "HOME": str(folder), "LC_ALL": "C.UTF-8",
                                         "TERM": "dumb", "COLUMNS": "500"})
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 500, 0, 0))

    def write(self, text):
        os.write(self.terminal, text.encode())

    def until(self, pattern):
        """The match at the end of the output since the last call."""
        text = ""
        while not (found := re.search(pattern + r"\Z", text)):
            ready, _, _ = select.select([self.terminal], [], [], 60)
            if not ready:
                raise AssertionError(f"{pattern} did not come: {self.all + text!r}")
            try:
                text += os.read(self.terminal, 65536).decode(errors="replace")
            except OSError:
                raise AssertionError(f"the shell has ended: {self.all + text!r}") from None
            text = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|[\r\a]", "", text)
        self.all += text
        return found

    def leave(self):
        os.kill(self.child, signal.SIGKILL)
        os.waitpid(self.child, 0)
        os.close(self.terminal)


class Shells(unittest.TestCase):
    """Each shell gets a line with the cursor at its end and lists its offers."""
    LINES = {
        "simscope ren": {"render"},
        "simscope render tunneling --preset reso": {"resonant_double_barrier"},
        "simscope render tunneling --set potential=do": {"potential=double_barrier"},
        "simscope render heat --the": {"--theme"},
        "simscope judge psi.npy --scene tunneling:reso": {"tunneling:resonant_double_barrier"},
        "simscope verify pict": {"picture one.png"},
        "simscope render heat --theme=sl": {"--theme=slides"},
    }

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "picture one.png").touch()
        for shell in ("bash", "zsh", "fish"):
            (self.folder / shell).mkdir()
            (self.folder / shell / "_simscope").write_text(run(SIMSCOPE, "completion", shell), encoding="utf-8")

    def ask(self, shell, *words):
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120, check=False,
                              cwd=self.folder, env={"PATH": f"{FOLDER}:/usr/bin:/bin", "HOME": str(self.folder),
                                                    "LC_ALL": "C.UTF-8", "TERM": "dumb"}, stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, 0, f"{shell}: {done.stdout}")
        return done.stdout

    def test_bash_offers_them(self):
        script = r"""
source bash/_simscope
for line in "$@"; do
  COMP_LINE=$line COMP_POINT=${#line}
  # As readline takes a line apart: blanks part words, and each = and : is one.
  read -ra COMP_WORDS < <(sed 's/[=:]/ & /g' <<<"$line")
  [[ $line != *[' =:'] ]] || COMP_WORDS+=('')
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMPREPLY=()
  _simscope
  printf '%s\n' "${COMPREPLY[@]}" END
done
"""
        answers = self.ask("bash", "bash", "--norc", "-c", script, "bash", *self.LINES).split("END\n")
        for (line, expected), answer in zip(self.LINES.items(), answers):
            # Bash's own word begins after the last = or :.
            self.assertEqual(set(answer.splitlines()), {re.split("[=:]", word)[-1] for word in expected}, line)

    def completed(self, shell, words, setup):
        """The lines after a Tab, in an interactive shell."""
        typist = Typist(words, self.folder)
        self.addCleanup(typist.leave)
        for line in ["PS1='READ''Y> '", *setup]:
            typist.write(line + "\n")
            typist.until("READY> ")
        lines = []
        for line in self.LINES:
            # Ctrl+A and Ctrl+E: the line, quoted from its beginning to its end, is printed.
            typist.write(f'{line}\t\x01echo "<<\x05>>"\n')
            lines.append(typist.until(r"\n<<(.*)>>\nREADY> ").group(1).rstrip())
        return lines

    def whole(self):
        return [" ".join([*line.split(" ")[:-1], *(word.replace(" ", "\\ ") for word in expected)])
                for line, expected in self.LINES.items()]

    def test_bash_completes_the_line(self):
        self.assertEqual(self.completed("bash", ["bash", "--norc", "--noprofile", "-i"],
                                        ["bind 'set enable-bracketed-paste off'", "source bash/_simscope"]), self.whole())

    @needs("zsh")
    def test_zsh_completes_the_line(self):
        setup = ["unsetopt prompt_cr prompt_sp zle_bracketed_paste; bindkey -e", "fpath=($PWD/zsh $fpath)",
                 "autoload -Uz compinit; compinit -u -d $PWD/dump"]
        self.assertEqual(self.completed("zsh", ["zsh", "-f", "-i"], setup), self.whole())
        # As in packages, and as with `source <(simscope completion zsh)`.
        setup = [setup[0], "autoload -Uz compinit; compinit -u -d $PWD/dump2", "source zsh/_simscope"]
        self.assertEqual(self.completed("zsh", ["zsh", "-f", "-i"], setup), self.whole())

    @needs("fish")
    def test_fish_offers_them(self):
        for line, expected in self.LINES.items():
            script = f"source fish/_simscope; complete -C '{line}'"
            answer = self.ask("fish", "fish", "--no-config", "-c", script)
            self.assertEqual({each.split("\t")[0].replace("\\ ", " ") for each in answer.splitlines()}, expected, line)


class Manual(unittest.TestCase):
    def test_has_every_command_option_and_simulation(self):
        page = run(SIMSCOPE, "manual").replace("\\-", "-")
        for command in commands():
            self.assertIn(f'.SS "{command}"\n', page)
            for option, _ in options_of(command):
                self.assertIn(option, page, command)
        for line in run(SIMSCOPE, "list").splitlines()[1:]:
            self.assertIn(f"\\fB{line.split()[0]}\\fR", page)
        self.assertNotIn("complete-words", page)
        self.assertEqual(page, run(SIMSCOPE, "manual").replace("\\-", "-"), "the same bytes each time")

    @needs("man")
    def test_is_set_without_a_warning(self):
        with tempfile.TemporaryDirectory() as name:
            file = pathlib.Path(name) / "simscope.1"
            file.write_text(run(SIMSCOPE, "manual"), encoding="utf-8")
            self.assertEqual(errors_of("man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", file, status=0,
                                       env={"LC_ALL": "C.UTF-8", "MANROFFSEQ": "", "MANWIDTH": "80", "PATH": "/usr/bin:/bin"}), "")
            text = run("man", "-l", file, env={"LC_ALL": "C.UTF-8", "MANWIDTH": "80", "PATH": "/usr/bin:/bin"})
            self.assertIn("simscope render SIM --out FILE", text)


if __name__ == "__main__":
    main()
