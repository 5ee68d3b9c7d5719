import type { premierepro } from "@adobe/premierepro";

/**
 * Calls a function when another project or sequence becomes active, or the project changes its dirty state. A hint, not
 * a fact: read again. Never called in the middle of an edit of ours. Returns a function that ends it.
 */
export function watchSequence(premiere: premierepro, listener: () => void): () => void {
  const { ProjectEvent, SequenceEvent } = premiere.Constants;
  const names = [
    ProjectEvent.OPENED,
    ProjectEvent.CLOSED,
    ProjectEvent.ACTIVATED,
    ProjectEvent.DIRTY,
    SequenceEvent.ACTIVATED,
    SequenceEvent.CLOSED,
  ];
  const handler = () => listener();
  for (const name of names) premiere.EventManager.addGlobalEventListener(name, handler);
  return () => {
    for (const name of names) premiere.EventManager.removeGlobalEventListener(name, handler);
  };
}
