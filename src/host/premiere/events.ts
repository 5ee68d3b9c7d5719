import type { premierepro } from "@adobe/premierepro";

type Constants = premierepro["Constants"];

/** Name of an event that whoever listens globally may be told of. */
type EventName = Parameters<premierepro["EventManager"]["addGlobalEventListener"]>[0];

/** Events after which another sequence may be active, or the project changed. Each by itself: a Premiere may lack some. */
const CHANGES: readonly ((constants: Constants) => EventName)[] = [
  ({ ProjectEvent }) => ProjectEvent.OPENED,
  ({ ProjectEvent }) => ProjectEvent.CLOSED,
  ({ ProjectEvent }) => ProjectEvent.ACTIVATED,
  ({ ProjectEvent }) => ProjectEvent.DIRTY,
  ({ SequenceEvent }) => SequenceEvent.ACTIVATED,
  ({ SequenceEvent }) => SequenceEvent.CLOSED,
];

/**
 * Calls a function when another project or sequence becomes active, or the project changes its dirty state. A hint, not
 * a fact: read again. Never called in the middle of an edit of ours. Returns a function that ends it.
 */
export function watchSequence(premiere: premierepro, listener: () => void): () => void {
  const handler = () => listener();
  const ends = CHANGES.map((nameOf) => listenGlobally(premiere, nameOf, handler));
  return () => {
    for (const end of ends) end();
  };
}

/** Listens to an event of whichever project. Where that is refused, nobody is told, and all else goes on. Returns what ends it. */
export function listenGlobally(
  premiere: premierepro,
  nameOf: (constants: Constants) => EventName,
  listener: (event?: object) => void,
): () => void {
  return hinted(() => {
    const name = nameOf(premiere.Constants);
    premiere.EventManager.addGlobalEventListener(name, listener);
    return () => premiere.EventManager.removeGlobalEventListener(name, listener);
  });
}

/** Begins to listen, and gives what ends it. Events are hints: that one cannot be listened to is no failure. */
export function hinted(begin: () => () => void): () => void {
  try {
    const end = begin();
    return () => {
      try {
        end();
      } catch {
        // What has gone listens no more.
      }
    };
  } catch {
    return () => undefined;
  }
}
