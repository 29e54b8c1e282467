//! A wrong light is shrunk to a short session in a file that shows it again.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use touchboard_host::Session;
use touchboard_host::check::{CheckOptions, TimeLimit, Verdict, check, check_session};
use touchboard_host::compare::Difference;
use touchboard_links::SessionInFile;

use super::bench::{LAYOUT, at_pins, image, is_excused};
use super::mistakes::planted;

/// A limit on the number of shorter sessions to try, which does not depend on time.
const TRIES: TimeLimit = TimeLimit {
    at_most: Duration::from_secs(80),
    now: || {
        static ASKED: AtomicU64 = AtomicU64::new(0);
        Duration::from_secs(ASKED.fetch_add(1, Ordering::Relaxed))
    },
};

/// The light of e6 has no red; green stones look right there.
#[test]
fn a_wrong_pixel_is_shrunk_to_a_saved_session() {
    if is_excused("a_wrong_pixel_is_shrunk_to_a_saved_session") {
        return;
    }
    let e6 = LAYOUT.point("e6").expect("a point").index();
    let right = "this.colours.push([byte(8), byte(0), byte(16)]);";
    let wrong = format!(
        "this.colours.push([at === {} ? 0 : byte(8), byte(0), byte(16)]);",
        24 * e6
    );
    let (folder, bad) = planted("lights.mjs", right, &wrong);
    let options = CheckOptions {
        shrink_for: TRIES,
        ..CheckOptions::new(LAYOUT, 4, 200)
    };
    let verdict = check(&mut at_pins(&bad), &options, &mut |_| ()).expect("a board");
    let Verdict::Differs(finding) = verdict else {
        panic!("it was not found: {verdict:?}");
    };
    assert_eq!(finding.difference.field, "light e6");
    let acts = finding.session.acts();
    assert!(
        acts < finding.found_after && acts <= 6,
        "{acts} of {}",
        finding.found_after
    );

    let path = folder.path().join("difference.session");
    finding.session.save(&path).expect("a file");
    let session = Session::load(&path).expect("a session");
    let on = |image| {
        let mut board = at_pins(image);
        check_session(&mut board, &session, TimeLimit::NONE, &mut |_| ()).expect("a board")
    };
    let Verdict::Differs(again) = on(&bad) else {
        panic!("the file does not show it");
    };
    // The same light is wrong in the same way. A finger that touches as a scan begins is
    // felt by that scan or the next, so the ticks may differ by one.
    let seen = |difference: Difference| Difference {
        tick: 0,
        ..difference
    };
    let ticks = [&again, &finding].map(|finding| finding.difference.tick);
    assert!(ticks[0].abs_diff(ticks[1]) <= 1, "{ticks:?}");
    assert_eq!(seen(again.difference), seen(finding.difference));
    let good = on(&image());
    assert!(matches!(good, Verdict::Agrees(_)), "{good:?}");
}
