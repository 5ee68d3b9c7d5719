import { type LeftOut, type Reading, type Receipt, receiptLines, type TextChoice } from "../../src/core/verdict.ts";
import { formatClockTime } from "../../src/formats/clock-time.ts";
import type { Actions } from "../controllers/actions.ts";
import { type Child, type ElementNode, element } from "../document/element.ts";
import type { FormText } from "../state/form.ts";
import { CHANGED, type TextKind, type TextQuestion } from "../state/given-text.ts";
import type { PanelState } from "../state/panel-state.ts";
import { stripPieces } from "../state/strip.ts";
import { words } from "../words/words.ts";
import { button, labelled, primaryButton, text, textField, typedText } from "./controls.ts";
import { programmeStrip } from "./programme-strip.ts";

/** A text that may be meant in several ways: each with its first lines on the film's own dialogue, one click to choose. */
export function questionView(question: TextQuestion, openSections: readonly string[], actions: Actions): ElementNode[] {
  const { text: asked, isAsked, film } = question;
  const { verdict } = asked.understood;
  const readings = verdict.kind === "unsure" ? verdict.readings : [];
  const name = asked.picked.name;
  const isHeard = (film.speech?.length ?? 0) > 0 && readings.length > 0;
  const said = isAsked || readings.length === 0 ? words.textOtherwise({ name }) : words.textQuestion({ name });
  const asks = verdict.kind === "unsure" ? verdict.question : "";
  return [
    element("div", { class: "view-part", key: "text-question", id: "text-question" }, [
      element(
        "p",
        {
          class: "heading question",
          id: "text-question-heading",
          role: "heading",
          "aria-level": "2",
          tabindex: "0",
          takesFocus: true,
        },
        asks === "" ? said : asks,
      ),
      asks === "" ? null : text(isHeard ? `${said} ${words.textCompare}` : said, "hint"),
      element("div", { class: "question-columns" }, [
        element("div", { class: "question-asked", key: "asked" }, [
          element(
            "div",
            { class: "readings", role: "list", "aria-label": words.textKinds[asked.kind] },
            readings.map((reading, index) => readingCard(reading, index, question, actions)),
          ),
          byHand(question, readings, actions),
        ]),
        receiptCard(asked.understood.receipt, { leftOut: shownLeftOut(asked.kind, openSections, actions) }),
      ]),
    ]),
    element("div", { class: "footer", key: "footer" }, [
      text(asked.kind === "script" ? words.textNothingSpoken : words.textNotUsed, "hint"),
      element(
        "div",
        { class: "foot" },
        button("leave-text", words.cancel, () => actions.textController.leave()),
      ),
    ]),
  ];
}

function readingCard(reading: Reading, index: number, question: TextQuestion, actions: Actions): ElementNode {
  const { label, choice, fitting, lines, preview } = reading;
  const isBest = index === 0;
  const use = isBest ? primaryButton : button;
  const why = whyOf(reading, question);
  return element(
    "div",
    { class: isBest ? "card chosen" : "card", key: label, role: "listitem" },
    element(
      "div",
      { class: "line" },
      element("span", { class: "strong" }, capitalized(label)),
      " ",
      element("span", { class: fitting === lines ? "good" : "warning" }, words.textFits({ fitting, lines })),
    ),
    stripOf(reading, index, question),
    element(
      "div",
      { class: "preview" },
      preview.map(({ id, start, text: line }) =>
        element(
          "div",
          { class: "preview-line", key: id },
          element("span", { class: "time" }, formatClockTime(start)),
          ` “${line}”`,
        ),
      ),
    ),
    element(
      "div",
      { class: "actions" },
      text(why, "hint"),
      use(
        `use-reading-${index}`,
        words.textUse,
        () => actions.session.run(() => actions.textController.choose(choice)),
        {
          "data-action": "use-reading",
          "aria-label": `${words.textUse}: ${label}`,
        },
      ),
    ),
  );
}

/** The first lines of a reading below the dialogue, as far as the film's length is known. */
function stripOf({ label, preview }: Reading, index: number, { film }: TextQuestion): Child {
  const { durationSeconds, speech = [] } = film;
  if (durationSeconds === undefined) return null;
  return programmeStrip({
    id: `reading-strip-${index}`,
    label: words.textStripLabel({ label }),
    lanes: [
      ...(speech.length === 0
        ? []
        : [["speech", words.textLanes.dialogue, stripPieces(speech, durationSeconds)] as const]),
      [
        "cue",
        words.textLanes.lines,
        stripPieces(
          preview.filter(({ start, end }) => end > 0 && start < durationSeconds),
          durationSeconds,
        ),
      ],
    ],
  });
}

function whyOf({ fitting, lines }: Reading, { text: asked, film }: TextQuestion): string {
  const isHeard = (film.speech?.length ?? 0) > 0;
  const why = isHeard ? words.textWhy[asked.kind] : words.textWhy.film;
  return fitting === lines ? why.all : why.some({ count: lines - fitting });
}

/** The way out where no reading is meant: a person says what would settle it. */
function byHand(
  { byHand: asked, handDraft }: TextQuestion,
  readings: readonly Reading[],
  { textController, session }: Actions,
): ElementNode {
  const said = words.textHand[asked];
  return element(
    "div",
    { class: "card", key: "by-hand" },
    readings.length > 0 ? text(words.textByHand, "strong") : null,
    labelled(
      said.name,
      textField("text-by-hand", said.name, handDraft, {
        oninput: (event: Parameters<typeof typedText>[0]) => textController.typeByHand(typedText(event)),
      }),
      said.hint,
    ),
    button("use-by-hand", words.textHandUse, () => session.run(() => textController.useByHand()), {
      disabled: handDraft.trim() === "",
    }),
  );
}

/** A text of the form: its name, the way to choose another, and what was read of it. */
export function givenText(
  kind: TextKind,
  file: FormText | undefined,
  { texts, openSections }: Pick<PanelState, "texts" | "openSections">,
  actions: Actions,
): ElementNode {
  const { session, textController } = actions;
  const none = kind === "captions" ? words.noFile : words.noScript;
  const name = words.textKinds[kind];
  return element(
    "div",
    { key: `text-${kind}` },
    element(
      "div",
      { class: "actions" },
      text(texts[kind]?.picked.name ?? file?.filename ?? none),
      button(`choose-${kind}`, words.chooseFile, () => session.run(() => textController.pick(kind)), {
        "aria-label": `${name}: ${words.chooseFile}`,
      }),
      file === undefined || texts[kind] === undefined || file.receipt?.choices !== undefined
        ? null
        : button(`change-${kind}`, words.textChange, () => textController.ask(kind)),
      file === undefined
        ? null
        : button(`drop-${kind}`, words.dropScript, () => textController.drop(kind), {
            "aria-label": `${name}: ${words.dropScript}`,
          }),
    ),
    receiptCard(file?.receipt, {
      leftOut: shownLeftOut(kind, openSections, actions),
      ...(texts[kind] === undefined
        ? {}
        : {
            change: (what) =>
              button(`change-${kind}-${what}`, words.textChange, () => textController.ask(kind, what), {
                "aria-label": `${name}, ${words.textReceiptRows[what]}: ${words.textChange}`,
              }),
          }),
    }),
  );
}

/** Whether it is shown what was left out of a text, and the way to show or hide it. */
interface ShownLeftOut {
  readonly isOpen: boolean;
  readonly toggle: ElementNode;
}

function shownLeftOut(kind: TextKind, openSections: readonly string[], { formController }: Actions): ShownLeftOut {
  const id = `left-out-${kind}`;
  const isOpen = openSections.includes(id);
  const label = isOpen ? words.textHide : words.textShow;
  const toggle = button(id, label, () => formController.toggleSection(id), {
    "aria-label": `${words.textKinds[kind]}, ${words.textLeftOut}: ${label}`,
    "aria-expanded": String(isOpen),
  });
  return { isOpen, toggle };
}

/** What was read of a file, a row each with the way to change or show it; nothing where nothing is to be told. */
function receiptCard(
  receipt: Receipt | undefined,
  { leftOut: shown, change }: { leftOut: ShownLeftOut; change?: (what: keyof TextChoice) => ElementNode },
): Child {
  if (receiptLines(receipt).length === 0 || receipt === undefined) return null;
  const { facts, leftOut, choices = {} } = receipt;
  const taken = CHANGED.flatMap((what) => {
    const told = choices[what];
    return told === undefined ? [] : [{ what, told }];
  });
  const others = facts.filter((fact) => !taken.some(({ told }) => told === fact));
  const [missing] = receiptLines({ facts: [], leftOut });
  return element(
    "div",
    { class: "card receipt", key: "receipt" },
    text(words.textReceipt, "strong"),
    others.map((line) => element("p", { class: "line", key: line }, capitalized(line))),
    taken.map(({ what, told }) => receiptRow(words.textReceiptRows[what], told, change?.(what) ?? null)),
    missing === undefined
      ? null
      : receiptRow(
          words.textLeftOut,
          missing.replace(/^left out: /, ""),
          leftOut.some(({ words: there = [] }) => there.length > 0) ? shown.toggle : null,
        ),
    shown.isOpen ? leftOut.map(leftOutList) : null,
  );
}

/** What stands where something was left out, as far as it is known. */
function leftOutList({ what, count, words: there = [] }: LeftOut): Child {
  if (there.length === 0) return null;
  const more = count - there.length;
  return element("div", { class: "preview", key: `left-out-${what}` }, [
    text(capitalized(what), "field-name"),
    ...there.map((line, index) => element("p", { class: "preview-line", key: `${index}` }, `“${line}”`)),
    more > 0 ? text(words.textMore({ count: more }), "hint") : null,
  ]);
}

function receiptRow(name: string, told: string, change: ElementNode | null): ElementNode {
  return element(
    "div",
    { class: "receipt-row", key: name },
    element("div", { class: "receipt-told" }, text(name, "strong"), text(capitalized(told), "hint")),
    change,
  );
}

function capitalized(line: string): string {
  return `${line.charAt(0).toUpperCase()}${line.slice(1)}`;
}
