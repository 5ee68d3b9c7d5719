import { type FoundGaps, lookForGaps } from "../src/workflow/look-for-gaps.ts";
import { type Form, rangeOf } from "./form.ts";
import type { Session } from "./session.ts";
import type { PanelState } from "./state.ts";
import { words } from "./words.ts";

/** What was found of the pauses, and for which sequence and settings. */
export interface GapLook extends FoundGaps {
  readonly key: string;
}

/** Looks for the pauses of the active sequence before anything is exported: in the chosen captions, else the transcript. */
export async function lookAtGaps(session: Session): Promise<void> {
  const { form, sequence } = session.state;
  if (sequence === null) return;
  const { start, end } = rangeOf(form, sequence);
  const { captionFile, settings } = form;
  const { editor } = session.environment;
  const found = await lookForGaps(
    { transcript: () => editor.transcribedCaptions(start), listen: async () => null },
    {
      durationSeconds: end - start,
      allowsOverMusic: settings.allowsOverMusic,
      minimumCueSeconds: settings.minimumCueSeconds,
      ...(form.captionSource === "file" && captionFile !== undefined ? { captions: captionFile } : {}),
    },
  );
  if (found === null) session.tell(words.gapsUnknown);
  session.store.set({ gaps: found === null ? null : { ...found, key: gapKey(session.state) } });
}

/** What was found, as long as it is about what the form asks for. */
export function shownGaps(state: PanelState): FoundGaps | null {
  return state.gaps?.key === gapKey(state) ? state.gaps : null;
}

function gapKey({ form, sequence }: { readonly form: Form; readonly sequence: PanelState["sequence"] }): string {
  const { captionSource, captionFile, settings } = form;
  const range = sequence === null ? [] : Object.values(rangeOf(form, sequence));
  return [sequence?.id, ...range, captionSource, captionFile?.filename, settings.minimumCueSeconds].join(" ");
}
