import type { Environment } from "../outgoing/environment.ts";

/** What any process needs to run at all: nothing of it is secret. */
export const EVERYBODY = [
  "LANG",
  "LC_*",
  "TZ",
  "MALLOC_*",
  "LD_LIBRARY_PATH",
  "DYLD_LIBRARY_PATH",
  "SYSTEMROOT",
  "WINDIR",
];

/** What a program needs that somebody configured to speak. */
export const PROGRAMS = [
  ...["PATH", "HOME", "USER", "LOGNAME", "SHELL", "XDG_*", "CUDA_*"],
  ...["PATHEXT", "COMSPEC", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES*"],
];

/** What reaching servers takes where a proxy stands between. */
export const SERVERS = [
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "NODE_USE_ENV_PROXY",
  "NODE_EXTRA_CA_CERTS",
  "SSL_CERT_*",
];

/**
 * The variables that have one of the names; a name that ends with `*` stands for all that begin so. Names are compared as
 * Windows does, which writes `Path`.
 */
export function passedOn(environment: Environment, names: readonly string[]): NodeJS.ProcessEnv {
  const matches = (name: string) =>
    names.some((one) => (one.endsWith("*") ? name.startsWith(one.slice(0, -1)) : name === one));
  return Object.fromEntries(Object.entries(environment).filter(([name]) => matches(name.toUpperCase())));
}

/** Whether a variable says something. */
export function isSet(value: string | undefined): value is string {
  return value !== undefined && value.trim() !== "";
}
