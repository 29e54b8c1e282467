// Starts the language server for texts of games, and stops it.
const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = () => {
  const command = workspace.getConfiguration("ludemes").get("server");
  const serverOptions = { command };
  const clientOptions = { documentSelector: [{ language: "lud" }] };
  client = new LanguageClient("ludemes", "Ludemes", serverOptions, clientOptions);
  return client.start();
};

exports.deactivate = () => client?.stop();
