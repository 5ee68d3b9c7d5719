import { type FoundSound, type GapMap, gapsIn } from "../src/workflow/gap-map.ts";
import { type Form, rangeOf } from "./form.ts";
import { describePart } from "./parts.ts";
import type { Session } from "./session.ts";
import type { PanelState } from "./state.ts";
import { words } from "./words.ts";

/** What was found of the sound, and for which sequence and range. */
export interface GapLook extends FoundSound {
  readonly key: string;
}

/** What the pauses offer by the settings as they are. */
export interface ShownGaps extends FoundSound {
  readonly map: GapMap;
}

/** Looks for the pauses of the active sequence before anything is exported: in the chosen captions, else the transcript. */
export async function lookAtGaps(session: Session): Promise<void> {
  const { form, sequence } = session.state;
  if (sequence === null) return;
  const { start, end } = rangeOf(form, sequence);
  const { captionFile } = form;
  const { editor } = session.environment;
  const { findSound } = await describePart();
  const found = await findSound(
    { transcript: () => editor.transcribedCaptions(start), listen: async () => null },
    {
      durationSeconds: end - start,
      ...(form.captionSource === "file" && captionFile !== undefined ? { captions: captionFile } : {}),
    },
  );
  if (found === null) session.tell(words.gapsUnknown);
  session.store.set({ gaps: found === null ? null : { ...found, key: gapKey(session.state) } });
}

/** What was found, as long as it is about what the form asks for. */
export function shownGaps(state: PanelState): ShownGaps | null {
  const { gaps, form } = state;
  return gaps?.key === gapKey(state) ? { ...gaps, map: gapsIn(gaps, form.settings) } : null;
}

function gapKey({ form, sequence }: { readonly form: Form; readonly sequence: PanelState["sequence"] }): string {
  const { captionSource, captionFile } = form;
  const range = sequence === null ? [] : Object.values(rangeOf(form, sequence));
  return [sequence?.id, ...range, captionSource, captionFile?.filename].join(" ");
}
