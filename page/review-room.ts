import type { Actions } from "../panel/controllers/actions.ts";
import { type Child, type ElementNode, element } from "../panel/document/element.ts";
import type { PanelState } from "../panel/state/panel-state.ts";
import type { ReviewState } from "../panel/state/review-state.ts";
import { button, footer, menuRow, primaryButton, text } from "../panel/views/controls.ts";
import { reviewView } from "../panel/views/review-view.ts";
import { signOffPart } from "../panel/views/sign-off-part.ts";
import { lengthOf, rateName, words } from "../panel/words/words.ts";
import { soundingCues, voiceFiles } from "../src/result/result.ts";
import { signOffState } from "../src/result/sign-off.ts";
import { staleIn } from "../src/result/stale.ts";
import type { Desk } from "./desk.ts";
import { filmOf } from "./film-editor.ts";
import { formOf } from "./jobs-view.ts";
import { pageWords } from "./page-words.ts";
import type { PageSession } from "./session-key.ts";

/** What a link for a review opens. */
type Review = NonNullable<PageSession["review"]>;

/** The page of a link for reviewing one film: that film under review, and nothing else. */
export class ReviewRoom {
  readonly #desk: Desk;
  readonly #review: Review;
  readonly #actions: Actions;
  #isOpening = false;

  constructor(desk: Desk, review: Review, actions: Actions) {
    this.#desk = desk;
    this.#review = review;
    this.#actions = actions;
  }

  /** The film's script, with what a reviewer does with it. */
  script(state: PanelState): readonly Child[] {
    return reviewView(state, this.#actions, { foot: reviewerFoot, isBesideFilm: true });
  }

  /** What stands in place of the views that the link does not open. The first time, the film is opened. */
  elsewhere(state: PanelState): readonly Child[] {
    const { session, panelController } = this.#actions;
    if (!this.#isOpening) {
      this.#isOpening = true;
      session.run(() => this.#open());
    }
    if (state.review === null) return [text(pageWords.openingReview, "empty")];
    return [
      text(pageWords.reviewAlone, "line"),
      primaryButton("to-review", words.views.review, async () => panelController.go("review")),
    ];
  }

  /** The film, how long it can be reviewed, and the way out. */
  header({ sequence }: PanelState, logOut: () => void): ElementNode {
    const until = pageWords.reviewUntil({ date: this.#review.expires_at.slice(0, 10) });
    return element(
      "div",
      { class: "header", role: "banner", key: "header" },
      element("h1", { class: "line", id: "sequence" }, words.title),
      element(
        "span",
        { class: "grow" },
        sequence === null ? until : `${sequence.name} · ${lengthOf(sequence)} · ${rateName(sequence)} · ${until}`,
      ),
      button("log-out", pageWords.logOut, logOut, { class: "button small quiet" }),
    );
  }

  /** Opens the result as it was left, or takes it from the service; a sound that this browser does not have is fetched. */
  async #open(): Promise<void> {
    const { session, reviewController, jobQueue } = this.#actions;
    const { job_id: jobId, media_id: mediaId, run_id: runId } = this.#review;
    const known = session.state.jobs.find((job) => job.runId === runId);
    if (known?.state === "done") {
      const { environment, library } = session;
      const audio = (await library.loadResult(runId))?.audio;
      const isGone = audio?.path === known.audioPath && (await environment.files.size(audio.path)) === null;
      return isGone ? jobQueue.fetchAgain(runId) : reviewController.open(runId);
    }
    // One that waits or runs goes on by itself.
    if (known !== undefined) {
      if (known.state === "stopped" || known.state === "failed") await jobQueue.resume(runId);
      return;
    }
    const order = await this.#desk.order(jobId);
    const { sequence, exported } = filmOf(mediaId, await this.#desk.media(mediaId));
    await jobQueue.takeUp(
      { sequence, form: formOf(order), runId },
      { exported, media: { mediaId, isVerified: true }, submission: { state: "accepted", jobId, notices: [] } },
    );
  }
}

/** What stands at the foot of the script for a reviewer: accepting and signing off. */
function reviewerFoot(state: PanelState, review: ReviewState, actions: Actions): ElementNode {
  const { reviewController, panelController } = actions;
  return footer(
    {
      main: signOffPart(state, review, actions, primaryButton),
      more: [],
      isMenuOpen: state.isMenuOpen,
      menu: () => [
        menuRow("accept-all", words.acceptAll, async () => reviewController.acceptAll(), actions),
        menuRow("open-keys", words.views.keys, async () => panelController.go("keys"), actions),
      ],
    },
    actions,
  );
}

/** What stands at the foot of the script on the page: signing it off, then delivering it. */
export function reviewFoot(state: PanelState, review: ReviewState, actions: Actions): ElementNode {
  const { result } = review;
  const { session, jobQueue, deliverController, reviewController, panelController } = actions;
  const { size } = staleIn(result);
  const isSigned = signOffState(result.signOff, soundingCues(result)) === "valid";
  const deliver = () => session.run(() => deliverController.open());
  return footer(
    {
      main: isSigned
        ? primaryButton("open-delivery", words.views.deliver, deliver)
        : signOffPart(state, review, actions, primaryButton),
      more: [
        size === 0 || result.track === "none"
          ? null
          : button("voice-changed", words.voiceChanged({ count: size }), () => session.run(() => jobQueue.voice())),
      ],
      isMenuOpen: state.isMenuOpen,
      menu: () => [
        menuRow("accept-all", words.acceptAll, async () => reviewController.acceptAll(), actions),
        isSigned
          ? signOffPart(state, review, actions)
          : menuRow(
              "open-delivery",
              words.views.deliver,
              () => deliverController.open(),
              actions,
              result.cues.length > 0,
            ),
        result.pieces === undefined || voiceFiles(result).length === 0
          ? null
          : menuRow("voice-whole", words.voiceWhole, () => jobQueue.voice(), actions),
        menuRow("open-bible", words.openBible, async () => panelController.go("bible"), actions),
        menuRow("open-keys", words.views.keys, async () => panelController.go("keys"), actions),
      ],
    },
    actions,
  );
}
