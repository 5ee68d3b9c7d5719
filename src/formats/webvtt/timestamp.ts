const ZERO = 0x30;
const COLON = 0x3a;
const STOP = 0x2e;

/** Reads WebVTT timestamps from a text, moving its own position. */
export class TimestampScanner {
  readonly text: string;
  position = 0;
  #end: number;

  constructor(text: string) {
    this.text = text;
    this.#end = text.length;
  }

  /** Turns to the stretch of the text from `start` up to `end`. */
  open(start: number, end: number): void {
    this.position = start;
    this.#end = end;
  }

  /**
   * The timestamp at the position, in seconds, by "collect a WebVTT timestamp" (WebVTT, section 6.3): hours may be left
   * out, minutes and seconds have two digits, milliseconds three. -1 when there is none.
   */
  timestamp(): number {
    const from = this.position;
    let first = this.#digits();
    if (this.position === from) return -1;
    const isHours = this.position - from !== 2 || first > 59;
    if (!this.#skip(COLON)) return -1;
    let minutes = this.#fixedDigits(2);
    if (minutes < 0) return -1;
    let seconds: number;
    if (isHours || this.text.charCodeAt(this.position) === COLON) {
      if (!this.#skip(COLON)) return -1;
      seconds = this.#fixedDigits(2);
      if (seconds < 0) return -1;
    } else {
      seconds = minutes;
      minutes = first;
      first = 0;
    }
    if (!this.#skip(STOP)) return -1;
    const milliseconds = this.#fixedDigits(3);
    if (milliseconds < 0 || minutes > 59 || seconds > 59) return -1;
    return (((first * 60 + minutes) * 60 + seconds) * 1000 + milliseconds) / 1000;
  }

  /** Moves past ASCII white space. */
  skipSpace(): void {
    while (this.position < this.#end && isAsciiSpace(this.text.charCodeAt(this.position))) this.position += 1;
  }

  /** Moves past `-->`; `false` when it does not stand here. */
  skipArrow(): boolean {
    if (!this.text.startsWith("-->", this.position)) return false;
    this.position += 3;
    return true;
  }

  #skip(code: number): boolean {
    if (this.position >= this.#end || this.text.charCodeAt(this.position) !== code) return false;
    this.position += 1;
    return true;
  }

  #digits(): number {
    let value = 0;
    for (; this.position < this.#end; this.position++) {
      const digit = this.text.charCodeAt(this.position) - ZERO;
      if (!(digit >= 0 && digit <= 9)) break;
      value = value * 10 + digit;
    }
    return value;
  }

  #fixedDigits(count: number): number {
    const from = this.position;
    const value = this.#digits();
    return this.position - from === count ? value : -1;
  }
}

/** Whether a UTF-16 code is ASCII white space: tab, LF, FF, CR, space. */
function isAsciiSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0c || code === 0x0d;
}
