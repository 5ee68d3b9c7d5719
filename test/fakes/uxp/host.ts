/** What `uxp.host` and `uxp.versions` say of themselves, and how they differ. */
interface HostOptions {
  /** Version of Premiere, as `uxp.host.version` gives it. */
  readonly version: string;
  /** Where the application lies; told since 26.5. */
  readonly applicationPath?: string;
}

/** `uxp.host` and `uxp.versions` as Premiere has them: the versions were seen to be an empty object. */
export function makeHost({ version, applicationPath }: HostOptions): {
  readonly host: { readonly name: string; readonly version: string; readonly applicationPath?: string };
  readonly versions: { readonly uxp?: string; readonly plugin?: string };
} {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isTold = applicationPath !== undefined && (major > 26 || (major === 26 && minor >= 5));
  return { host: { name: "premierepro", version, ...(isTold ? { applicationPath } : {}) }, versions: {} };
}
