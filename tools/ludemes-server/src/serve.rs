//! The conversation with an editor.

use std::collections::HashMap;
use std::time::Duration;

use lsp_server::{Connection, ErrorCode, Message, Notification, Request, Response};
use lsp_types::notification::{
    DidChangeTextDocument, DidCloseTextDocument, DidOpenTextDocument, Exit, Notification as _,
    PublishDiagnostics,
};
use lsp_types::request::{
    Completion, DocumentSymbolRequest, Formatting, GotoDefinition, HoverRequest, Request as _,
    Shutdown,
};
use lsp_types::{
    CompletionOptions, CompletionParams, CompletionResponse, DidChangeTextDocumentParams,
    DidCloseTextDocumentParams, DidOpenTextDocumentParams, DocumentFormattingParams,
    DocumentSymbolParams, DocumentSymbolResponse, GotoDefinitionParams, GotoDefinitionResponse,
    Hover, HoverContents, HoverParams, HoverProviderCapability, Location, MarkupContent,
    MarkupKind, OneOf, PublishDiagnosticsParams, ServerCapabilities, TextDocumentPositionParams,
    TextDocumentSyncCapability, TextDocumentSyncKind, TextEdit, Uri,
};
use serde_json::{Value, from_value, to_value};

use crate::raw::Raw;
use crate::{complete, lines, meaning, outline, troubles};

/// Errors are reported after this long without input, because an earlier report would
/// soon be replaced.
const PAUSE: Duration = Duration::from_millis(20);

/// Serves an editor until it disconnects. Returns whether it announced its exit.
///
/// # Errors
///
/// A sentence, if the editor does not follow the protocol or no longer reads.
pub fn serve(connection: &Connection) -> Result<bool, String> {
    let capabilities = to_value(capabilities()).map_err(|error| error.to_string())?;
    let begun = connection.initialize(capabilities);
    begun.map_err(|error| error.to_string())?;
    let mut texts = Texts::default();
    let mut has_enough = false;
    let from = &connection.receiver;
    loop {
        let received = match texts.changed.is_empty() {
            true => from.recv().ok(),
            false => match from.recv_timeout(PAUSE) {
                Ok(message) => Some(message),
                Err(error) if error.is_timeout() => {
                    for told in texts.wrong() {
                        send(connection, Message::Notification(told))?;
                    }
                    continue;
                }
                Err(_) => None,
            },
        };
        match received {
            None => return Ok(has_enough),
            Some(Message::Notification(told)) if told.method == Exit::METHOD => {
                return Ok(has_enough);
            }
            Some(Message::Notification(told)) => texts.handle(told),
            Some(Message::Request(request)) => {
                let answer = match has_enough {
                    true => {
                        let sentence = "nothing is answered after `shutdown`".to_owned();
                        let code = ErrorCode::InvalidRequest as i32;
                        Response::new_err(request.id, code, sentence)
                    }
                    false => texts.answer(request.clone()),
                };
                has_enough |= request.method == Shutdown::METHOD;
                send(connection, Message::Response(answer))?;
            }
            Some(Message::Response(_)) => {}
        }
    }
}

fn send(connection: &Connection, message: Message) -> Result<(), String> {
    let sent = connection.sender.send(message);
    sent.map_err(|error| error.to_string())
}

fn capabilities() -> ServerCapabilities {
    let triggers = ["(", " ", "\""].map(str::to_owned).to_vec();
    ServerCapabilities {
        text_document_sync: Some(TextDocumentSyncCapability::Kind(TextDocumentSyncKind::FULL)),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some(triggers),
            ..CompletionOptions::default()
        }),
        definition_provider: Some(OneOf::Left(true)),
        document_symbol_provider: Some(OneOf::Left(true)),
        document_formatting_provider: Some(OneOf::Left(true)),
        ..ServerCapabilities::default()
    }
}

/// The texts that an editor has open.
#[derive(Default)]
struct Texts {
    open: HashMap<String, String>,
    /// Changed texts whose errors have not been reported yet, with their versions.
    changed: Vec<(Uri, Option<i32>)>,
}

impl Texts {
    /// Handles a notification of the editor: a text is opened, changed or closed.
    fn handle(&mut self, told: Notification) {
        let (uri, version) = match told.method.as_str() {
            DidOpenTextDocument::METHOD => {
                let Ok(opened) = from_value::<DidOpenTextDocumentParams>(told.params) else {
                    return;
                };
                let text = opened.text_document;
                self.open.insert(text.uri.as_str().to_owned(), text.text);
                (text.uri, Some(text.version))
            }
            DidChangeTextDocument::METHOD => {
                let Ok(changed) = from_value::<DidChangeTextDocumentParams>(told.params) else {
                    return;
                };
                let text = changed.text_document;
                if let Some(last) = changed.content_changes.into_iter().next_back() {
                    self.open.insert(text.uri.as_str().to_owned(), last.text);
                }
                (text.uri, Some(text.version))
            }
            DidCloseTextDocument::METHOD => {
                let Ok(closed) = from_value::<DidCloseTextDocumentParams>(told.params) else {
                    return;
                };
                self.open.remove(closed.text_document.uri.as_str());
                (closed.text_document.uri, None)
            }
            _ => return,
        };
        self.changed.retain(|(other, _)| *other != uri);
        self.changed.push((uri, version));
    }

    /// Notifications with the errors of the changed texts; an empty list of errors for a
    /// closed text.
    fn wrong(&mut self) -> Vec<Notification> {
        let changed = std::mem::take(&mut self.changed).into_iter();
        let told = changed.map(|(uri, version)| {
            let text = self.open.get(uri.as_str());
            let diagnostics = text.map_or_else(Vec::new, |text| troubles::of(&uri, text));
            let params = PublishDiagnosticsParams {
                uri,
                diagnostics,
                version,
            };
            Notification::new(PublishDiagnostics::METHOD.to_owned(), params)
        });
        told.collect()
    }

    /// The response to a request.
    fn answer(&self, request: Request) -> Response {
        let Request { id, method, params } = request;
        let answer = match method.as_str() {
            HoverRequest::METHOD => from_value(params).map(|asked| self.hover(asked)),
            Completion::METHOD => from_value(params).map(|asked| self.complete(asked)),
            GotoDefinition::METHOD => from_value(params).map(|asked| self.definition(asked)),
            DocumentSymbolRequest::METHOD => from_value(params).map(|asked| self.outline(asked)),
            Formatting::METHOD => from_value(params).map(|asked| self.format(asked)),
            Shutdown::METHOD => Ok(Value::Null),
            _ => {
                let sentence = format!("`{method}` is not known here");
                return Response::new_err(id, ErrorCode::MethodNotFound as i32, sentence);
            }
        };
        match answer {
            Ok(answer) => Response::new_ok(id, answer),
            Err(error) => Response::new_err(id, ErrorCode::InvalidParams as i32, error.to_string()),
        }
    }

    fn text(&self, uri: &Uri) -> Option<&str> {
        self.open.get(uri.as_str()).map(String::as_str)
    }

    /// The text and the byte offset of a position.
    fn place(&self, asked: &TextDocumentPositionParams) -> Option<(&str, usize)> {
        let text = self.text(&asked.text_document.uri)?;
        Some((text, lines::byte(text, asked.position)))
    }

    fn hover(&self, asked: HoverParams) -> Value {
        let said = self
            .place(&asked.text_document_position_params)
            .and_then(|(text, at)| {
                let (value, range) = meaning::at(text, at)?;
                let kind = MarkupKind::Markdown;
                Some(Hover {
                    contents: HoverContents::Markup(MarkupContent { kind, value }),
                    range: Some(lines::range(text, range)),
                })
            });
        to_value(said).unwrap_or_default()
    }

    fn complete(&self, asked: CompletionParams) -> Value {
        let place = self.place(&asked.text_document_position);
        let items = place.map(|(text, at)| complete::at(text, at));
        to_value(items.map(CompletionResponse::Array)).unwrap_or_default()
    }

    fn definition(&self, asked: GotoDefinitionParams) -> Value {
        let asked = asked.text_document_position_params;
        let found = self.place(&asked).and_then(|(text, at)| {
            let raw = Raw::of(text);
            let token = raw.token(at).filter(|token| token.quoted)?;
            let define = meaning::defined(&raw, &token.text)?;
            let range = lines::range(text, define.quoted()?.range.clone());
            let place = Location::new(asked.text_document.uri.clone(), range);
            Some(GotoDefinitionResponse::Scalar(place))
        });
        to_value(found).unwrap_or_default()
    }

    fn outline(&self, asked: DocumentSymbolParams) -> Value {
        let text = self.text(&asked.text_document.uri);
        let parts = text.map(|text| DocumentSymbolResponse::Nested(outline::of(text)));
        to_value(parts).unwrap_or_default()
    }

    /// The edits that format the text; none if it cannot be parsed.
    fn format(&self, asked: DocumentFormattingParams) -> Value {
        let edit = self.text(&asked.text_document.uri).and_then(|text| {
            let formatted = ludemes::format::format(text).ok()?;
            let (bytes, lines) = lines::difference(text, &formatted);
            let edit = TextEdit {
                range: lines::range(text, bytes),
                new_text: lines.to_owned(),
            };
            Some(match formatted == text {
                true => Vec::new(),
                false => vec![edit],
            })
        });
        to_value(edit).unwrap_or_default()
    }
}
