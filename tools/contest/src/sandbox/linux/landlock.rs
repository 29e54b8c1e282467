//! Landlock: forbids writing, except to `/dev/null`, and reaching other processes.

use landlock::{
    ABI, Access, AccessFs, AccessNet, PathBeneath, PathFd, RestrictionStatus, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetError, RulesetStatus, Scope,
};

/// The newest version of Landlock whose rights are requested; an older kernel supports
/// fewer.
const NEWEST: ABI = ABI::V6;

/// Enables Landlock, and lists what it does not protect.
pub fn put_up(missing: &mut Vec<String>) {
    let sentence = match restrict() {
        Ok(status) if status.ruleset == RulesetStatus::FullyEnforced => return,
        Ok(status) if status.ruleset == RulesetStatus::PartiallyEnforced => {
            "the system's Landlock is an old one: some ways to change files are open to bots"
        }
        Ok(_) | Err(_) => "bots are not kept from changing files: the system has no Landlock",
    };
    missing.push(sentence.to_owned());
}

fn restrict() -> Result<RestrictionStatus, RulesetError> {
    let ruleset = Ruleset::default()
        .handle_access(AccessFs::from_write(NEWEST))?
        .handle_access(AccessNet::from_all(NEWEST))?
        .scope(Scope::from_all(NEWEST))?
        .create()?;
    let ruleset = match PathFd::new("/dev/null") {
        Ok(null) => ruleset.add_rule(PathBeneath::new(null, AccessFs::WriteFile))?,
        Err(_) => ruleset,
    };
    ruleset.restrict_self()
}
