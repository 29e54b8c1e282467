//! Commands about users: registration, passwords, addresses.

use crate::command::Signed;
use crate::dice::hex_of_hash;
use crate::names::{Address, UserName};
use crate::password::Password;
use crate::server::{Answered, Mailing, NotDone, Notice, Refusal, RunningCommand, Signature};
use crate::store::User;

/// How many users there can be.
const MOST_USERS: u64 = 100_000;

/// The number of digits of a code, too many to be guessed.
const CODE_DIGITS: usize = 16;

impl RunningCommand<'_, '_> {
    pub(super) fn user(&self, name: &UserName) -> Result<User, NotDone> {
        Ok(self.tables.user(name)?.ok_or(Refusal::NoUser)?)
    }

    /// Whether this is the user's password.
    pub(super) fn check_password(&mut self, by: &Signed) -> Result<User, NotDone> {
        let name = &by.user;
        let user = self.user(name)?;
        if !self.is_right(&user.hash, name, &by.password) {
            self.signature = Signature::Wrong;
            return Err(Refusal::WrongPassword(name.clone()).into());
        }
        self.signature = Signature::Right;
        self.author = Some(name.clone());
        Ok(user)
    }

    fn hash_of(&self, name: &UserName, password: &Password) -> Result<String, NotDone> {
        password.check()?;
        if password.is_in(name.as_str()) {
            return Err(Refusal::PasswordInName.into());
        }
        let random = (self.options.secret)()?;
        let mut salt = [0; 16];
        salt.copy_from_slice(&random[..16]);
        Ok(self.options.cost.hash(password, &salt)?)
    }

    pub(super) fn register(&mut self, by: &Signed, address: Option<&Address>) -> Answered {
        let Signed {
            user: name,
            password,
        } = by;
        if self.tables.user(name)?.is_some() {
            return Err(Refusal::NameTaken(name.clone()).into());
        }
        if self.tables.users()? >= MOST_USERS {
            return Err(Refusal::Full.into());
        }
        let address = address.or(self.origin.address.as_ref()).cloned();
        if address
            .as_ref()
            .is_some_and(|address| password.is_in(&address.to_string()))
        {
            return Err(Refusal::NewPasswordInAddress.into());
        }
        let mut user = User {
            address: None,
            code: None,
            hash: self.hash_of(name, password)?,
            since_s: self.now_s,
        };
        self.check_registration()?;
        let told = match address {
            Some(address) => self.ask_for_address(name, &mut user, address)?,
            None => "No mail goes out: `user address` gives an address for it.".to_owned(),
        };
        self.tables.keep_user(name, &user)?;
        Ok(format!("You are registered as {name}. {told}\n"))
    }

    /// Sends a code to an address, which gets no other mails until the code has been
    /// returned.
    fn ask_for_address(
        &mut self,
        name: &UserName,
        user: &mut User,
        address: Address,
    ) -> Result<String, NotDone> {
        user.address = Some(address.clone());
        if self.options.address.is_none() {
            user.code = None;
            return Ok("This server sends no mail; your address is kept for one that does.".into());
        }
        let random = (self.options.secret)()?;
        let code = hex_of_hash(&random)[..CODE_DIGITS].to_owned();
        user.code = Some(code.clone());
        if self.mailing_of_code(&address)? == Mailing::TooMany {
            return Ok("No mail with a code was sent there, since today's limit is reached: write `user address` again tomorrow.".into());
        }
        let text = format!(
            "Somebody, you most likely, wants to play Malaka here as {name} and gave this\n\
             address. If that was you, send back this line:\n\n\
             user confirm {name} {code}\n\n\
             If it was not, do nothing, and no more mail comes.\n"
        );
        self.notices.push(Notice {
            to: address,
            subject: format!("Is this the address of {name}?"),
            text,
            board: None,
        });
        Ok("A mail with a code went to your address: send it back with `user confirm`, and the server tells you of your games by mail.".into())
    }

    pub(super) fn confirm(&mut self, name: &UserName, code: &Password) -> Answered {
        let mut user = self.user(name)?;
        let expected = user.code.take().ok_or(Refusal::NoCode)?;
        if Password::new(&expected) != *code {
            self.signature = Signature::Wrong;
            return Err(Refusal::WrongCode.into());
        }
        self.signature = Signature::Right;
        self.tables.keep_user(name, &user)?;
        Ok(format!("The address of {name} is confirmed.\n"))
    }

    pub(super) fn new_password(&mut self, by: &Signed, new: &Password) -> Answered {
        let mut user = self.check_password(by)?;
        user.hash = self.hash_of(&by.user, new)?;
        self.tables.keep_user(&by.user, &user)?;
        Ok(format!("The password of {} is changed.\n", by.user))
    }

    pub(super) fn new_address(&mut self, by: &Signed, address: &Address) -> Answered {
        let mut user = self.check_password(by)?;
        if by.password.is_in(&address.to_string()) {
            return Err(Refusal::PasswordInAddress.into());
        }
        let told = self.ask_for_address(&by.user, &mut user, address.clone())?;
        self.tables.keep_user(&by.user, &user)?;
        Ok(format!("The address of {} is changed. {told}\n", by.user))
    }
}
