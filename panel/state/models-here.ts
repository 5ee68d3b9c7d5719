import type { MODEL_KINDS } from "../../src/contract/choices.ts";
import type { ModelHere, ModelsReply } from "../../src/contract/models.ts";

/** What a model is for. */
export type ModelKind = (typeof MODEL_KINDS)[number];

/** The models of the computer on which a service runs, as they are shown. */
export interface ShownModels {
  /** The service that told of them. */
  readonly address: string;
  readonly reply: ModelsReply;
  /** What is asked about a model before it is done; `null` while nothing is. */
  readonly question: ModelQuestion | null;
  /** The model whose files are on their way to the service, and how far they are, 0 to 1; absent while none are. */
  readonly sending?: { readonly model: string; readonly share: number };
}

/** What is asked about a model. */
type ModelQuestion =
  | { readonly model: string; readonly about: "terms" | "remove" }
  /** From which files it is installed: those that were picked so far. */
  | { readonly model: string; readonly about: "files"; readonly files: readonly ModelFile[] };

/** A file that was picked for a model. */
export interface ModelFile {
  readonly name: string;
  readonly path: string;
}

/** Endings of archives that may hold several files of a model. */
export const ARCHIVE_ENDINGS = ["zip", "tar.gz", "tgz", "tar.bz2"] as const;

/** Name of the file at an address, by which it is known when it is brought. */
export function fileAt(address: string): string {
  return decodeURIComponent(
    address
      .replace(/[?#].*$/, "")
      .split("/")
      .at(-1) ?? "",
  );
}

/** Addresses of the files that were not picked. An archive that is none of them may hold all: then none. */
export function missingFiles({ addresses }: Pick<ModelHere, "addresses">, files: readonly ModelFile[]): string[] {
  const names = new Set(addresses.map(fileAt));
  const isArchive = ({ name }: ModelFile) =>
    ARCHIVE_ENDINGS.some((ending) => name.toLowerCase().endsWith(`.${ending}`));
  if (files.some((file) => !names.has(file.name) && isArchive(file))) return [];
  const picked = new Set(files.map(({ name }) => name));
  return addresses.filter((address) => !picked.has(fileAt(address)));
}

/** Models that can be installed from files: those of the service's own store that are not whole. */
export function installable({ reply }: Pick<ShownModels, "reply">): ModelHere[] {
  return reply.models.filter(
    ({ keeper, addresses, suits }) => keeper === "aside" && addresses.length > 0 && suits !== "no",
  );
}

/** What stands behind a row: how a model stands now, its download counted in. */
export type ModelStanding = "absent" | "partial" | "fetching" | "failed" | "installed" | "damaged" | "too-weak";

/** How a model stands. */
export function standingOf({ id, state, suits }: ModelHere, { download }: ModelsReply): ModelStanding {
  if (download?.model === id) {
    if (isUnderWay(download.state)) return "fetching";
    if (download.state === "failed" && state !== "installed") return "failed";
  }
  return suits === "no" && state === "absent" ? "too-weak" : state;
}

/** Whether a download goes on. */
export function isUnderWay(state: NonNullable<ModelsReply["download"]>["state"]): boolean {
  return state === "running" || state === "checking" || state === "unpacking";
}

/** What the service in use told of its computer's models, if it did. */
interface KnownModels {
  readonly modelsHere: ShownModels | null;
  readonly service: { readonly address: string };
}

/** The model to take for a kind of work that nothing on the service's computer does yet; absent where none is known of, or may be had. */
export function offeredModel({ modelsHere, service }: KnownModels, kind: ModelKind): ModelHere | undefined {
  if (modelsHere?.address !== service.address) return undefined;
  const { models, refused } = modelsHere.reply;
  const own = models.filter((model) => model.kind === kind);
  if (refused !== null || own.some(({ state }) => state === "installed")) return undefined;
  return own.find((model) => model.is_recommended && model.suits !== "no");
}
