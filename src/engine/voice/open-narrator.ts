import { readFile } from "node:fs/promises";
import { JobFailure } from "../isolate/job-failure.ts";
import type { Environment } from "../outgoing/environment.ts";
import { type LexiconEntry, parseLexicon } from "./lexicon.ts";
import { NarrationCache } from "./narration-cache.ts";
import { Narrator } from "./narrator.ts";
import { openVoice, voiceConfiguration } from "./voice-settings.ts";

/** Who is to speak, and what is known of it. */
export interface NarratorOrder {
  /** BCP-47 code. */
  readonly language: string;
  /** Name from the voice catalogue. */
  readonly voice: string;
  /** Folder in which spoken lines are kept. */
  readonly cacheFolder: string;
  /** `ASIDE_VOICE_…` as `voiceConfiguration` reads them, and `ASIDE_LEXICON`, the file of a pronunciation lexicon. */
  readonly environment: Environment;
}

/** A narrator, and sentences about what of its lexicon could not be used. */
export interface OpenedNarrator {
  readonly narrator: Narrator;
  readonly notes: readonly string[];
}

/**
 * Opens the voice that the environment configures, the embedded one where it configures none.
 *
 * @throws JobFailure `voice_unavailable` for a pairing that it does not speak; `internal_error` for a configuration or a
 * lexicon that cannot be used.
 */
export async function openNarrator(order: NarratorOrder): Promise<OpenedNarrator> {
  const { language, voice, cacheFolder, environment } = order;
  const configuration = voiceConfiguration(environment);
  if (configuration.kind === "incomplete") {
    throw new JobFailure("internal_error", `The voice is not fully configured: ${configuration.reason}.`);
  }
  const { lexicon, notes } = await readLexicon(environment["ASIDE_LEXICON"]?.trim() ?? "");
  const engine = await openVoice(configuration).catch((cause: unknown) => {
    throw new JobFailure("internal_error", "The folder that ASIDE_VOICE_RECORDINGS names cannot be read.", { cause });
  });
  return { narrator: new Narrator(engine, new NarrationCache(cacheFolder), { language, voice, lexicon }), notes };
}

async function readLexicon(path: string): Promise<{ lexicon: readonly LexiconEntry[]; notes: readonly string[] }> {
  if (path === "") return { lexicon: [], notes: [] };
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    throw new JobFailure("internal_error", "The file that ASIDE_LEXICON names cannot be read.", { cause });
  });
  const { entries, issues } = parseLexicon(text);
  const notes = issues.map(
    ({ line, text: words }) => `The lexicon, line ${line}: "${words}" is not "written = spoken".`,
  );
  return { lexicon: entries, notes };
}
