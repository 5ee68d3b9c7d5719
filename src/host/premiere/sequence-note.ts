import type { Properties, premierepro } from "@adobe/premierepro";
import type { KeptText } from "../edit-plan.ts";
import { openSequence } from "./open-sequence.ts";
import type { SequenceReference } from "./snapshot.ts";
import type { TransactionPart } from "./transactor.ts";

/** Every property of ours begins with this, so that no other plugin's is touched. */
const PREFIX = "aside.";

/** Text kept with a sequence in the project, by name; `null` where there is none. */
export async function readNote(
  premiere: premierepro,
  reference: SequenceReference,
  name: string,
): Promise<string | null> {
  const properties = await fetchProperties(premiere, reference);
  return (await properties.hasValue(PREFIX + name)) ? properties.getValue(PREFIX + name) : null;
}

/**
 * Keeps text with a sequence in the project: part of a step of the undo history, like every change of a project. Empty text
 * clears what is kept.
 */
export function keptText(
  premiere: premierepro,
  reference: SequenceReference,
  { name, text }: KeptText,
): TransactionPart {
  return async () => {
    const properties = await fetchProperties(premiere, reference);
    const isThere = text !== "" || (await properties.hasValue(PREFIX + name));
    return (add) => {
      if (text !== "")
        add(properties.createSetValueAction(PREFIX + name, text, premiere.Constants.PropertyType.PERSISTENT));
      else if (isThere) add(properties.createClearValueAction(PREFIX + name));
    };
  };
}

async function fetchProperties(premiere: premierepro, reference: SequenceReference): Promise<Properties> {
  return premiere.Properties.getProperties((await openSequence(premiere, reference)).sequence);
}
