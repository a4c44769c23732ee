/** Cuts a stream of bytes into lines, and never holds more than one line of the agreed length. */

export interface LineReader {
  /** Takes what arrived. Whole lines go out at once; false when a line grew too long, after which nothing is read any more. */
  push(part: Buffer): boolean
  /** Whether a line has begun and not ended. */
  readonly half: boolean
}

/** @param limit bytes of a line, its end not counted */
export function createLineReader(limit: number, onLine: (line: string) => void): LineReader {
  let begun: Buffer = Buffer.alloc(0)
  let spoiled = false
  return {
    push(part) {
      let rest = part
      while (!spoiled) {
        const end = rest.indexOf(10)
        const piece = end === -1 ? rest : rest.subarray(0, end)
        if (begun.length + piece.length > limit) {
          spoiled = true
          begun = Buffer.alloc(0)
          break
        }
        const line = begun.length === 0 ? piece : Buffer.concat([begun, piece])
        if (end === -1) {
          begun = line.length === 0 ? line : Buffer.from(line)
          break
        }
        begun = Buffer.alloc(0)
        rest = rest.subarray(end + 1)
        onLine(line.toString('utf8'))
      }
      return !spoiled
    },
    get half() {
      return begun.length > 0
    },
  }
}
