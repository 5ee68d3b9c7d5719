import type { Properties, premierepro } from "@adobe/premierepro";
import { openSequence } from "./open-sequence.ts";
import type { SequenceReference } from "./snapshot.ts";
import type { Transactor } from "./transactor.ts";

/** Every property of ours begins with this, so that no other plugin's is touched. */
const PREFIX = "aside.";

/** Text kept with a sequence in the project, by name; `null` where there is none. */
export async function readNote(
  premiere: premierepro,
  reference: SequenceReference,
  name: string,
): Promise<string | null> {
  const properties = await fetchProperties(premiere, reference);
  return properties.hasValue(PREFIX + name) ? properties.getValue(PREFIX + name) : null;
}

/** Keeps text with a sequence in the project: a step of the undo history, like every change of a project. */
export async function writeNote(
  premiere: premierepro,
  reference: SequenceReference,
  transactor: Transactor,
  note: { readonly name: string; readonly text: string; readonly label: string },
): Promise<void> {
  const fetch = () => fetchProperties(premiere, reference);
  await transactor.run(note.label, fetch, (properties, _open, add) => {
    add(properties.createSetValueAction(PREFIX + note.name, note.text, premiere.Constants.PropertyType.PERSISTENT));
  });
}

function fetchProperties(premiere: premierepro, reference: SequenceReference): Promise<Properties> {
  return premiere.Properties.getProperties(openSequence(premiere, reference).sequence);
}
