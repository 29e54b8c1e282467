//! A pattern of lights, for building the scene only.
use std::time::Duration;
use protocol::*;
use super::*;
/// Demo.
#[derive(Default)]
pub struct Demo { elapsed: Duration, frame: Frame, started: bool }
impl Source for Demo {
    fn name(&self) -> String { "demo".into() }
    fn order(&mut self, order: &Order) -> Result<(), String> {
        if let Order::Input(Input::Touch(p)) = order { self.frame.points.set(*p, Colour::new((self.frame.points.get(*p).index()+1)%4)); }
        Ok(())
    }
    fn update(&mut self, elapsed: Duration, shown: &mut Shown, tell: &mut dyn FnMut(Tick, Event)) -> Result<Tick, String> {
        self.elapsed += elapsed;
        if !self.started {
            self.started = true;
            let rows = ["...g.....","..ggrg...","..rgggr..","..grrrrg.","...rgrr..","....ga.g.",".....r...",".........","........."];
            for (r,row) in rows.iter().enumerate() { for (c,l) in row.chars().enumerate() {
                if let Some(p) = shown.layout.at(c as u8, r as u8) { self.frame.points.set(p, Colour::from_letter(l).unwrap()); } } }
            self.frame.turn=[true,false];
            self.frame.display = Text::clipped("REVERSI 12-9");
            tell(0, Event::Turn(Side::Green));
        }
        shown.frame = self.frame.clone();
        Ok(self.elapsed.as_millis() as u64)
    }
}
