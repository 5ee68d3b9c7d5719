import type { BibleEntry, BiblePerson, FilmBible } from "../../src/core/film-bible.ts";
import type { BibleChange } from "../../src/formats/bible-text.ts";
import type { Actions } from "../controllers/actions.ts";
import { ADDING, factTyped, shownBible } from "../controllers/review/bible-controller.ts";
import type { PanelEvent } from "../document/dom.ts";
import { type ElementNode, element } from "../document/element.ts";
import { pictureKey } from "../state/job-progress.ts";
import type { PanelState } from "../state/panel-state.ts";
import { type ReviewState, timecodeOf, typedSeconds } from "../state/review-state.ts";
import { words } from "../words/words.ts";
import { button, labelled, primaryButton, text, textField, typedText } from "./controls.ts";
import { undoButtons } from "./review-view.ts";

/** Says what a field changes of the bible, by what stands in it. */
type ChangeBy = (known: FilmBible, text: string) => BibleChange;

/** A field of the bible. */
interface BibleField {
  readonly id: string;
  readonly label: string;
  /** What is kept. */
  readonly value: string;
  readonly change: ChangeBy;
  /** Whether it may take several lines. */
  readonly isLong?: true;
}

/** What is known of the film: who is in it and when they may be named, where it plays, what matters, the story. */
export function bibleView(state: PanelState, actions: Actions): ElementNode[] {
  const { review } = state;
  if (review === null) return [text(words.noReview, "empty")];
  const bible = shownBible(state);
  const draw = (field: BibleField) => drawField(field, state, actions);
  const drawing: Drawing = { review, actions, draw };
  const add = (id: string, label: string, change: ChangeBy) =>
    labelled(label, draw({ id: ADDING + id, label, value: "", change }));
  return [
    element(
      "div",
      { class: "view-part", key: "bible" },
      text(review.result.bible === undefined ? words.bibleUnknown : words.bibleHint, "hint"),
      heading(words.bibleStory),
      draw({
        id: "bible-story",
        label: words.bibleStory,
        value: bible.story,
        isLong: true,
        change: (_, to) => ({ part: "story", to }),
      }),
      heading(words.biblePersons),
      bible.persons.map((person, at) => personPart(person, at, drawing)),
      add("person", words.addPerson, ({ persons }, label) => ({
        part: "persons",
        at: persons.length,
        to: { label, looks: "" },
      })),
      (["places", "things"] as const).map((part) => [
        heading(words.bibleLists[part]),
        bible[part].map((entry, at) => entryPart(part, entry, at, drawing)),
        add(part, words.addEntry[part], (known, label) => ({ part, at: known[part].length, to: { label, looks: "" } })),
      ]),
      heading(words.bibleWords),
      bible.words.map((word, at) =>
        element(
          "div",
          { class: "pair one-line", key: `word-${at}` },
          labelled(
            words.bibleWord,
            draw({
              id: `word-${at}`,
              label: words.bibleWord,
              value: word,
              change: (_, to) => ({ part: "words", at, to }),
            }),
          ),
          removal(`word-${at}`, word, { part: "words", at, to: null }, actions),
        ),
      ),
      add("word", words.addWord, ({ words: known }, to) => ({ part: "words", at: known.length, to })),
    ),
    element(
      "div",
      { class: "footer", key: "footer" },
      element(
        "div",
        { class: "foot" },
        primaryButton("bible-back", words.backToReview, () => actions.panelController.go("review")),
        undoButtons(review, actions),
      ),
    ),
  ];
}

/** What a part of the view is drawn with. */
interface Drawing {
  readonly review: ReviewState;
  readonly actions: Actions;
  readonly draw: (field: BibleField) => ElementNode;
}

function personPart(person: BiblePerson, at: number, { review, actions, draw }: Drawing): ElementNode {
  const { label, looks, name, alsoCalled = [], pictureAt } = person;
  const field = (id: string, called: string, value: string, to: (known: BiblePerson, text: string) => BiblePerson) =>
    labelled(
      called,
      draw({
        id: `person-${at}-${id}`,
        label: `${called}: ${label}`,
        value,
        change: ({ persons }, typed) => ({ part: "persons", at, to: to(persons[at] ?? person, typed) }),
      }),
    );
  const picture = pictureAt === undefined ? undefined : review.pictures?.[pictureKey({ start: pictureAt })];
  return element(
    "div",
    { class: "card", key: `person-${at}`, role: "group", "aria-label": label },
    element(
      "div",
      { class: "actions" },
      picture === undefined || picture === ""
        ? null
        : element("img", { class: "still", src: picture, alt: words.pictureOf({ label }) }),
      element("span", { class: "strong grow" }, label),
      pictureAt === undefined
        ? null
        : button(`person-${at}-show`, timecodeOf(review, pictureAt), () => actions.reviewController.jump(pictureAt), {
            class: "button small",
            "aria-label": words.pictureShow({ label }),
          }),
      removal(`person-${at}`, label, { part: "persons", at, to: null }, actions),
    ),
    element(
      "div",
      { class: "pair" },
      field("label", words.bibleLabel, label, (known, to) => ({ ...known, label: to })),
      field("looks", words.bibleLooks, looks, (known, to) => ({ ...known, looks: to })),
      field("name", words.bibleName, name === "" ? words.bibleNoName : (name ?? ""), named),
      name === undefined || name === "" ? null : nameFromField(person, at, review, actions),
      field("also", words.bibleAlso, alsoCalled.join("; "), alsoNamed),
    ),
  );
}

function named({ name: _, ...known }: BiblePerson, to: string): BiblePerson {
  return to.trim() === "" ? known : { ...known, name: to };
}

function alsoNamed({ alsoCalled: _, ...known }: BiblePerson, to: string): BiblePerson {
  const alsoCalled = to.split(";").filter((call) => call.trim() !== "");
  return alsoCalled.length === 0 ? known : { ...known, alsoCalled };
}

/** From when the name may be used, as a time of the sequence; taken when it is left. */
function nameFromField(person: BiblePerson, at: number, review: ReviewState, actions: Actions): ElementNode {
  const { nameFrom, ...known } = person;
  const { session, bibleController } = actions;
  const label = `${words.bibleNameFrom}: ${person.label}`;
  const keep = (to: BiblePerson) => bibleController.change({ part: "persons", at, to });
  return labelled(
    words.bibleNameFrom,
    textField(`person-${at}-from`, label, nameFrom === undefined ? "" : timecodeOf(review, nameFrom), {
      title: words.timeHint,
      onchange: (event: PanelEvent) => {
        const typed = typedText(event).trim();
        const seconds = typed === "" ? null : typedSeconds(review, typed, nameFrom ?? 0);
        if (seconds !== null) return keep({ ...known, nameFrom: Math.max(0, seconds) });
        if (typed === "") return keep(known);
        session.tell(words.badTimecode({ text: typed }), { isFault: true });
      },
    }),
  );
}

function entryPart(
  part: "places" | "things",
  { label, looks }: BibleEntry,
  at: number,
  { actions, draw }: Drawing,
): ElementNode {
  const field = (id: string, called: string, value: string, change: (text: string) => Partial<BibleEntry>) =>
    labelled(
      called,
      draw({
        id: `${part}-${at}-${id}`,
        label: `${called}: ${label}`,
        value,
        change: (known, typed) => ({ part, at, to: { label, looks, ...known[part][at], ...change(typed) } }),
      }),
    );
  return element(
    "div",
    { class: "pair one-line", key: `${part}-${at}`, role: "group", "aria-label": label },
    field("label", words.bibleLabel, label, (to) => ({ label: to })),
    field("looks", words.bibleLooks, looks, (to) => ({ looks: to })),
    removal(`${part}-${at}`, label, { part, at, to: null }, actions),
  );
}

/** A field that keeps what is typed with each letter. */
function drawField(
  { id, label, value, change, isLong }: BibleField,
  state: PanelState,
  { bibleController }: Actions,
): ElementNode {
  const more = {
    oninput: (event: PanelEvent) => bibleController.typing(id, typedText(event), change),
    onchange: (event: PanelEvent) => {
      bibleController.typing(id, typedText(event), change);
      bibleController.leave();
    },
  };
  const typed = factTyped(state);
  const shown = typed?.field === id ? typed.text : value;
  return isLong === true
    ? element("textarea", { class: "input words", id, "aria-label": label, value: shown, ...more })
    : textField(id, label, shown, more);
}

function removal(id: string, label: string, change: BibleChange, { session, bibleController }: Actions): ElementNode {
  const remove = () => {
    bibleController.change(change);
    session.say(words.heard.removed);
  };
  return button(`remove-${id}`, words.bibleRemove, remove, {
    class: "button small",
    "aria-label": `${words.bibleRemove}: ${label}`,
  });
}

function heading(words: string): ElementNode {
  return element("p", { class: "heading", role: "heading", "aria-level": "2" }, words);
}
