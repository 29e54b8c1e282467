//! The files for Slurm, given to Slurm: its controller and one node on this machine, in a
//! folder of their own and at addresses that nobody else can reach.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::{alone, written};

/// The programs that Slurm needs.
const NEEDS: [&str; 4] = ["munged", "slurmctld", "slurmd", "sbatch"];
/// The longest that anything may take here.
const LONGEST: Duration = Duration::from_secs(300);
/// So many runs take a shard some seconds, in which it can be killed.
const RUNS: &str = "80";

/// A cluster of one node. Its processes end with it.
struct Cluster {
    config: PathBuf,
    services: Vec<Child>,
}

impl Drop for Cluster {
    fn drop(&mut self) {
        // After a failure, tasks may be left, which would outlive their node.
        self.ask(&["scancel", "--user=root"]);
        let give_up = Instant::now() + LONGEST;
        while !self.is_idle() && Instant::now() < give_up {
            thread::sleep(Duration::from_millis(100));
        }
        for service in self.services.iter_mut().rev() {
            end(service.id(), "TERM");
            let _ = service.wait();
        }
    }
}

/// Sends a process a signal.
fn end(process: u32, signal: &str) {
    let mut kill = Command::new("kill");
    let _ = kill
        .args([&format!("-{signal}"), &process.to_string()])
        .status();
}

/// Waits until something is there.
fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let give_up = Instant::now() + LONGEST;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < give_up, "there is no {what}");
        thread::sleep(Duration::from_millis(5));
    }
}

fn free_port() -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    listener.local_addr().expect("it has one").port()
}

impl Cluster {
    /// Starts the services, whose files are in this folder.
    fn start(folder: &Path) -> Cluster {
        for name in ["munge", "state", "node"] {
            fs::create_dir(folder.join(name)).expect("a folder");
        }
        let mut key = [0; 1024];
        fs::File::open("/dev/urandom")
            .and_then(|mut random| std::io::Read::read_exact(&mut random, &mut key))
            .expect("there is chance");
        let munge = folder.join("munge");
        fs::write(munge.join("key"), key).expect("it is written");
        let only_owner = fs::Permissions::from_mode(0o400);
        fs::set_permissions(munge.join("key"), only_owner).expect("they are set");
        let config = folder.join("slurm.conf");
        fs::write(&config, configuration(folder)).expect("it is written");
        let mut cluster = Cluster {
            config,
            services: Vec::new(),
        };
        let option = |name: &str, file: &str| format!("--{name}={}", munge.join(file).display());
        cluster.serve(
            Command::new("munged")
                .args(["--foreground", "--force", "--num-threads=1"])
                .arg(option("key-file", "key"))
                .arg(option("socket", "socket"))
                .arg(option("pid-file", "pid"))
                .arg(option("seed-file", "seed"))
                .arg(option("log-file", "log")),
            &folder.join("munged.log"),
        );
        wait_for("socket of munged", || {
            munge.join("socket").exists().then_some(())
        });
        for name in ["slurmctld", "slurmd"] {
            let log = folder.join(name).with_extension("log");
            let mut service = Command::new(name);
            cluster.serve(
                service.arg("-D").env("SLURM_CONF", cluster.config.clone()),
                &log,
            );
        }
        wait_for("idle node", || {
            let (is_done, said) = cluster.ask(&["sinfo", "--noheader", "--format=%t"]);
            (is_done && said.trim() == "idle").then_some(())
        });
        cluster
    }

    fn serve(&mut self, command: &mut Command, log: &Path) {
        let log = fs::File::create(log).expect("it is made");
        let other = log.try_clone().expect("it is shared");
        let service = command
            .stdin(Stdio::null())
            .stdout(log)
            .stderr(other)
            .spawn();
        self.services.push(service.expect("it starts"));
    }

    /// True if no task is left.
    fn is_idle(&self) -> bool {
        let (is_done, said) = self.ask(&["squeue", "--noheader"]);
        is_done && said.trim().is_empty()
    }

    /// Runs a program of Slurm; whether it succeeded, and what it said.
    fn ask(&self, words: &[&str]) -> (bool, String) {
        let mut command = Command::new(words[0]);
        let command = command.args(&words[1..]).env("SLURM_CONF", &self.config);
        let output = command.output().expect("it runs");
        let said = [output.stdout, output.stderr].concat();
        (
            output.status.success(),
            String::from_utf8_lossy(&said).into_owned(),
        )
    }
}

/// The configuration of a cluster whose one node is this machine. A task that is begun
/// again waits for a second, not for two minutes.
fn configuration(folder: &Path) -> String {
    let host = fs::read_to_string("/proc/sys/kernel/hostname").expect("it has a name");
    let host = host.trim().split('.').next().unwrap_or_default();
    let folder = folder.display();
    let (controller, node) = (free_port(), free_port());
    format!(
        "ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller}
SlurmdPort={node}
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket,cred_expire=1
SlurmUser=root
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/node
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1,batch_sched_delay=0
ReturnToService=2
MpiDefault=none
NodeName=node NodeHostname={host} NodeAddr=127.0.0.1 CPUs=2
PartitionName=all Nodes=node Default=YES State=UP
"
    )
}

/// Why this test cannot be done here.
fn excuse() -> Option<String> {
    let is_there = |program: &&str| {
        let mut which = Command::new("sh");
        let which = which.args(["-c", &format!("command -v {program}")]);
        which.output().is_ok_and(|output| output.status.success())
    };
    let missing = NEEDS.iter().find(|program| !is_there(program));
    let is_root = || {
        let who = Command::new("id").arg("-u").output();
        who.is_ok_and(|output| output.stdout == b"0\n")
    };
    match missing {
        Some(program) => Some(format!(
            "there is no {program}: `cargo xtask setup` installs it"
        )),
        None if !is_root() => Some("only root can start a node of a cluster".to_owned()),
        None => None,
    }
}

/// The process that does a shard, once its file has a few results.
fn process_of(shard: &str, file: &Path) -> u32 {
    wait_for("shard to kill", || {
        let lines = fs::read_to_string(file).map_or(0, |text| text.lines().count());
        let entries = fs::read_dir("/proc").expect("it is there").flatten();
        let mut numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        let does_it = |number: &u32| {
            let line = fs::read(format!("/proc/{number}/cmdline")).unwrap_or_default();
            let words: Vec<&[u8]> = line.split(|byte| *byte == 0).collect();
            let out = file.as_os_str().as_encoded_bytes();
            words.contains(&shard.as_bytes()) && words.contains(&out)
        };
        numbers.find(does_it).filter(|_| lines > 3)
    })
}

#[test]
fn slurm_does_a_killed_shard_again_and_merges_all() {
    if let Some(why) = excuse() {
        law::excuse("slurm_does_a_killed_shard_again_and_merges_all", &why);
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let cluster = Cluster::start(folder);
    let (files, said) = written(&["slurm"], folder, "4", RUNS);
    assert!(said.contains("submit.sh"), "{said}");
    let results = files.join("results");
    let submit = files.join("submit.sh").display().to_string();
    let (is_done, numbers) = cluster.ask(&["sh", &submit]);
    assert!(is_done, "{numbers}");
    let job = numbers.split(' ').next().expect("a number");
    // One shard's program is killed, as for its memory.
    end(process_of("1/4", &results.join("shard-1.jsonl")), "KILL");
    // Another one's task is begun again, as if its node were lost.
    let second = results.join("shard-2.jsonl");
    process_of("2/4", &second);
    let (is_done, said) = cluster.ask(&["scontrol", "requeue", &format!("{job}_2")]);
    assert!(is_done, "{said}");
    wait_for("end of the jobs", || cluster.is_idle().then_some(()));
    let log = |name: &str| fs::read_to_string(results.join(name)).expect("it is written");
    let told = log("shard-1.log");
    assert!(
        told.contains("shard 1 ended with 137, and goes on"),
        "{told}"
    );
    let merged = fs::read_to_string(results.join("merged.jsonl"));
    let merged = merged.unwrap_or_else(|_| panic!("{}", log("merged.log")));
    assert_eq!(merged, alone(folder, RUNS));
    assert!(
        log("merged.log").starts_with(&format!("{RUNS} runs")),
        "{}",
        log("merged.log")
    );
}
