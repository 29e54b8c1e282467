//! What happened on the board, newest at the bottom.

use bevy_egui::egui::{Label, RichText, ScrollArea, TextStyle, Ui};

use super::Bench;
use super::style;

/// Shows the card; it takes the height that is left.
pub fn show(ui: &mut Ui, bench: &Bench) {
    style::card(ui, "EVENTS", |ui| {
        let height = (ui.available_height() - 2.0 * style::STEP).max(0.0);
        let line = ui.text_style_height(&TextStyle::Monospace);
        ui.spacing_mut().item_spacing.y = 2.0;
        ui.spacing_mut().interact_size.y = line;
        ScrollArea::vertical()
            .max_height(height)
            .auto_shrink(false)
            .stick_to_bottom(true)
            .show_rows(ui, line, bench.log.0.len(), |ui, rows| {
                for entry in bench.log.0.range(rows) {
                    let seconds = style::seconds(entry.tick);
                    let what = entry.words(bench.shown.layout);
                    ui.horizontal(|ui| {
                        ui.label(
                            RichText::new(format!("{seconds:>9}"))
                                .monospace()
                                .color(style::FAINT),
                        );
                        ui.add(Label::new(RichText::new(what).monospace()).truncate());
                    });
                }
            });
    });
}
