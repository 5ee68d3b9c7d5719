import type { ModelHere } from "../../contract/models.ts";
import { engineFor, engineOf } from "./catalog-engines.ts";
import { EARS, EYES, SOUNDS } from "./catalog-models.ts";
import type { CatalogModel } from "./catalog-row.ts";
import { VOICES } from "./catalog-voices.ts";
import type { InstalledModel } from "./installed.ts";
import type { Computer } from "./this-computer.ts";

/**
 * Models that can be ordered, in the order of choice of each kind. Sizes and digests were published by others, and several
 * agree on each; nothing of it was downloaded where this project is built (`docs/first-run.md` asks for a confirmation).
 */
export const CATALOG: readonly CatalogModel[] = [...EYES, ...EARS, ...SOUNDS, ...VOICES];

/** Models in the order of choice: the one to take first; what the catalog does not know comes last. */
export function inOrderOfChoice<Model extends Pick<InstalledModel, "id">>(models: readonly Model[]): readonly Model[] {
  const place = ({ id }: Model) => {
    const found = CATALOG.findIndex((model) => model.id === id);
    return found === -1 ? CATALOG.length : found;
  };
  return [...models].sort((a, b) => place(a) - place(b));
}

/** Memory that the system and other programs take beside a model, in bytes. */
const OTHERS_BYTES = 2_000_000_000;

/** How strong a computer is for a model, and why, for people; the reason is empty where there is nothing to say. */
export function suitability(
  model: Pick<CatalogModel, "kind" | "memoryBytes">,
  computer: Computer,
): Pick<ModelHere, "suits"> & { readonly why: string } {
  if (engineFor(engineOf(model), computer) === null) {
    return { suits: "no", why: `Not made for this system (${computer.platform} ${computer.architecture}).` };
  }
  const needed = model.memoryBytes + OTHERS_BYTES;
  // A computer sold with 8 GB tells a little less.
  if (computer.memoryBytes * 1.08 < needed) {
    const [needs, has] = [gigabytes(needed), gigabytes(computer.memoryBytes)];
    return { suits: "no", why: `Needs a computer with ${needs} GB of memory; this one has ${has} GB.` };
  }
  if (model.kind === "eyes" && !computer.hasGraphics) {
    return { suits: "slow", why: "Slow here: no graphics card that could help was found." };
  }
  return { suits: "yes", why: "" };
}

function gigabytes(bytes: number): string {
  return String(Math.max(1, Math.round(bytes / 1e9)));
}

/** The model to take of each kind on a computer, by id: the first that suits; without graphics the smallest that sees. */
export function recommendedModels(computer: Computer, catalog: readonly CatalogModel[] = CATALOG): ReadonlySet<string> {
  const found = new Set<string>();
  for (const kind of ["eyes", "ears", "sounds", "voice"] as const) {
    const possible = catalog.filter((model) => model.kind === kind && suitability(model, computer).suits !== "no");
    const bySize = [...possible].sort((a, b) => a.memoryBytes - b.memoryBytes);
    const isSlow = possible[0] !== undefined && suitability(possible[0], computer).suits === "slow";
    const chosen = isSlow ? bySize[0] : possible[0];
    if (chosen !== undefined) found.add(chosen.id);
  }
  return found;
}

/** What a computer is, and what it is strong enough for: a sentence for people. */
export function computerInWords(computer: Computer): string {
  const graphics = computer.hasGraphics ? "a graphics card that can help" : "no graphics card that could help";
  const what = `This computer has ${gigabytes(computer.memoryBytes)} GB of memory, ${computer.processors} processor cores and ${graphics}.`;
  const eyes = CATALOG.filter(({ kind }) => kind === "eyes").map((model) => suitability(model, computer).suits);
  if (eyes.includes("yes")) return `${what} It can describe pictures by itself.`;
  if (eyes.includes("slow")) return `${what} It can describe pictures by itself, but slowly.`;
  return `${what} It is too weak to describe pictures by itself; a server or a paid model can.`;
}
