//! Checks that several machines or boards share.

use std::fs;

use crate::common::{file, hil_bridge, refusal};

#[test]
fn shards_of_checks_print_what_one_machine_prints() {
    for (broken, code) in [(&[][..], 0), (&["--at", "virtual", "--break-rule"], 1)] {
        let check = [
            &["check", "--seed", "7", "--steps", "400", "--runs", "5"],
            broken,
        ]
        .concat();
        let path = |name: &str| file(&format!("check-{code}-{name}"), "");
        let [whole, merged] = ["whole", "merged"].map(path);
        let shards = ["1/2", "2/2"].map(|shard| (shard, path(&shard.replace('/', "-"))));
        let one = hil_bridge(&[&check[..], &["--out", &whole]].concat());
        assert_eq!(one.status.code(), Some(code), "{one:?}");
        for (shard, out) in &shards {
            let share = ["--shard", shard, "--out", out];
            hil_bridge(&[&check[..], &share].concat());
            // A shard that is done is not done again.
            let lines = fs::read_to_string(out).unwrap();
            let again = hil_bridge(&[&check[..], &share].concat());
            assert!(again.status.code() <= Some(1), "{again:?}");
            assert_eq!(fs::read_to_string(out).unwrap(), lines);
        }
        let [(_, first), (_, second)] = &shards;
        let both = hil_bridge(&["merge", second, first, "--out", &merged]);
        assert_eq!((both.status, both.stdout), (one.status, one.stdout));
        let [merged, whole] = [merged, whole].map(|path| fs::read(path).unwrap());
        assert_eq!(merged, whole);
        let missing = refusal(&["merge", second]);
        assert!(
            missing.contains("job 0 is in none of the files"),
            "{missing}"
        );
    }
}

#[test]
fn a_file_of_another_board_is_not_gone_on_with() {
    let out = file("check-other", "");
    let check = ["check", "--steps", "10", "--runs", "2", "--out", &out];
    assert_eq!(hil_bridge(&check).status.code(), Some(0));
    let other = refusal(&[&check[..], &["--at", "virtual"]].concat());
    assert!(other.contains("other options"), "{other}");
    let shard = refusal(&["check", "--shard", "1/2"]);
    assert!(shard.contains("--out"), "{shard}");
}
