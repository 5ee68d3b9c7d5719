import { hostFacts } from "./host-facts.ts";
import type {
  UxpFs,
  UxpHost,
  UxpRequestConstructor,
  UxpRuntime,
  UxpSecureStorage,
  UxpShell,
  UxpStorage,
} from "./runtime.ts";

// UXP's own way to its modules; the bundler leaves it as it stands.
declare function require(name: "uxp"): typeof import("uxp");
declare function require(name: "fs"): typeof import("fs");
declare function require(name: "os"): typeof import("os");

/** Fails to compile when the vendor's declarations lack a member that this project uses. */
type MembersOf<Vendor, Used> = keyof Used extends keyof Vendor ? Used : never;

/**
 * UXP's modules in the types of `runtime.ts`. The one place that reaches for them, when the panel opens. The vendor's declarations prove that
 * every member exists; they leave most results open and demand callbacks that the documentation calls optional, hence the
 * conversions.
 */
export function uxpRuntime(): UxpRuntime {
  const uxp = require("uxp");
  const fs = require("fs");
  const storage = (uxp.storage as unknown as { readonly localFileSystem: UxpStorage }).localFileSystem;
  return {
    fs: fs as unknown as MembersOf<typeof fs, UxpFs>,
    storage: storage as MembersOf<InstanceType<typeof uxp.storage.FileSystemProvider>, UxpStorage>,
    secureStorage: uxp.secureStorage as unknown as MembersOf<typeof uxp.secureStorage, UxpSecureStorage>,
    XMLHttpRequest: XMLHttpRequest as unknown as UxpRequestConstructor,
    shell: uxp.shell as unknown as MembersOf<typeof uxp.shell, UxpShell>,
    platform: platformName(),
    homeFolder: homeFolder(),
    ...factsOf(uxp),
  };
}

function platformName(): string {
  try {
    return require("os").platform();
  } catch {
    // Whatever depends on the system is tried in every system's way.
    return "";
  }
}

function homeFolder(): string {
  try {
    return require("os").homedir();
  } catch {
    // Then a service of this computer is found by its address and key.
    return "";
  }
}

/** Versions as the host tells them, for a report: nothing of it is missed where even that fails. */
export function hostVersions(): Readonly<Record<string, string>> {
  try {
    return factsOf(require("uxp")).versions;
  } catch {
    return { host: "not told" };
  }
}

function factsOf({ versions, host }: typeof import("uxp")): ReturnType<typeof hostFacts> {
  // The vendor's declarations lack the path, and leave out that each of these may be missing.
  const { uxp, plugin }: { uxp?: unknown; plugin?: unknown } = versions ?? {};
  const { version, applicationPath }: Partial<UxpHost> = host ?? {};
  return hostFacts({ uxp, plugin, host: version, applicationPath });
}

/** Hooks of a panel. They must settle within 300 ms and never raise. */
export interface PanelHooks {
  readonly create: (root: unknown) => void;
  readonly show: (root: unknown) => void;
  readonly hide: () => void;
  readonly destroy: () => void;
  /** Rows of the panel's own menu, which the host shows in the corner of its frame. */
  readonly menuItems: readonly { readonly id: string; readonly label: string }[];
  readonly invokeMenu: (id: string) => void;
}

/** Registers the panel. Once, synchronously, in the first script that runs: a late call can raise an uncatchable error. */
export function setUpPanel(id: string, hooks: PanelHooks): void {
  const uxp = require("uxp");
  const setup = uxp.entrypoints.setup as (entries: unknown) => void;
  setup.call(uxp.entrypoints, { panels: { [id]: hooks } });
}
