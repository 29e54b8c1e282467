//! The conversation with an editor.

use std::collections::HashMap;

use lsp_server::{Connection, ErrorCode, Message, Notification, Request, Response};
use lsp_types::notification::{
    DidChangeTextDocument, DidCloseTextDocument, DidOpenTextDocument, Notification as _,
    PublishDiagnostics,
};
use lsp_types::request::{
    Completion, DocumentSymbolRequest, Formatting, GotoDefinition, HoverRequest, Request as _,
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

/// Talks with an editor until it says that it has enough.
///
/// # Errors
/// An editor that does not speak the protocol, or goes away.
pub fn serve(connection: &Connection) -> Result<(), String> {
    let capabilities = to_value(capabilities()).map_err(|error| error.to_string())?;
    let begun = connection.initialize(capabilities);
    begun.map_err(|error| error.to_string())?;
    let mut texts = Texts::default();
    for message in &connection.receiver {
        let answers = match message {
            Message::Request(request) => {
                let over = connection.handle_shutdown(&request);
                if over.map_err(|error| error.to_string())? {
                    return Ok(());
                }
                vec![Message::Response(texts.answer(request))]
            }
            Message::Notification(told) => texts.hear(told),
            Message::Response(_) => Vec::new(),
        };
        for answer in answers {
            let sent = connection.sender.send(answer);
            sent.map_err(|error| error.to_string())?;
        }
    }
    Ok(())
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
struct Texts(HashMap<String, String>);

impl Texts {
    /// What an editor tells: a text is opened, changed or closed.
    fn hear(&mut self, told: Notification) -> Vec<Message> {
        let (uri, version) = match told.method.as_str() {
            DidOpenTextDocument::METHOD => {
                let Ok(opened) = from_value::<DidOpenTextDocumentParams>(told.params) else {
                    return Vec::new();
                };
                let text = opened.text_document;
                self.0.insert(text.uri.as_str().to_owned(), text.text);
                (text.uri, Some(text.version))
            }
            DidChangeTextDocument::METHOD => {
                let Ok(changed) = from_value::<DidChangeTextDocumentParams>(told.params) else {
                    return Vec::new();
                };
                let text = changed.text_document;
                if let Some(last) = changed.content_changes.into_iter().next_back() {
                    self.0.insert(text.uri.as_str().to_owned(), last.text);
                }
                (text.uri, Some(text.version))
            }
            DidCloseTextDocument::METHOD => {
                let Ok(closed) = from_value::<DidCloseTextDocumentParams>(told.params) else {
                    return Vec::new();
                };
                self.0.remove(closed.text_document.uri.as_str());
                (closed.text_document.uri, None)
            }
            _ => return Vec::new(),
        };
        let text = self.0.get(uri.as_str());
        let diagnostics = text.map_or_else(Vec::new, |text| troubles::of(&uri, text));
        let params = PublishDiagnosticsParams {
            uri,
            diagnostics,
            version,
        };
        let method = PublishDiagnostics::METHOD.to_owned();
        let told = Notification::new(method, params);
        vec![Message::Notification(told)]
    }

    /// The answer to a question.
    fn answer(&self, request: Request) -> Response {
        let Request { id, method, params } = request;
        let answer = match method.as_str() {
            HoverRequest::METHOD => from_value(params).map(|asked| self.hover(asked)),
            Completion::METHOD => from_value(params).map(|asked| self.complete(asked)),
            GotoDefinition::METHOD => from_value(params).map(|asked| self.definition(asked)),
            DocumentSymbolRequest::METHOD => from_value(params).map(|asked| self.outline(asked)),
            Formatting::METHOD => from_value(params).map(|asked| self.format(asked)),
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
        self.0.get(uri.as_str()).map(String::as_str)
    }

    /// The text and the byte of a place.
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

    /// The whole text in its canonical layout; nothing, if it cannot be read.
    fn format(&self, asked: DocumentFormattingParams) -> Value {
        let edit = self.text(&asked.text_document.uri).and_then(|text| {
            let new_text = ludemes::format::format(text).ok()?;
            let range = lines::range(text, 0..text.len());
            Some(match new_text == text {
                true => Vec::new(),
                false => vec![TextEdit { range, new_text }],
            })
        });
        to_value(edit).unwrap_or_default()
    }
}
