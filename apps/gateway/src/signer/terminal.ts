/** Questions to a person. On a terminal, secrets are not echoed; without one, answers are lines on standard input. */
import { createInterface, type Interface } from 'node:readline'
import { Writable } from 'node:stream'

export interface Terminal {
  readonly isPerson: boolean
  say(text: string): void
  /** The answer without its end of line; null when there is no more input. */
  ask(question: string, options?: { readonly hidden?: boolean }): Promise<string | null>
  close(): void
}

export function openTerminal(): Terminal {
  const { stdin: input, stdout: output } = process
  const isPerson = input.isTTY === true
  let muted = false
  const shown = new Writable({
    write(part, _encoding, done) {
      if (!muted) output.write(part)
      done()
    },
  })
  // Opened at the first question: an open reader would keep a command without questions waiting for input.
  let lines: Interface | null = null
  let answers: AsyncIterator<string> | null = null
  const open = (): Interface => {
    const opened = createInterface({ input, output: shown, terminal: isPerson, historySize: 0 })
    // A raw terminal sends Ctrl-C as a key.
    return opened.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  }
  return {
    isPerson,
    say: (text) => void output.write(`${text}\n`),
    async ask(question, { hidden = false } = {}) {
      muted = hidden
      lines ??= open()
      answers ??= lines[Symbol.asyncIterator]()
      // Only after the reader is open: until then the terminal echoes what is typed.
      output.write(question)
      // Shown again when the line is edited.
      lines.setPrompt(question.split('\n').at(-1) ?? '')
      const answer = await answers.next()
      muted = false
      if (hidden || !isPerson) output.write('\n')
      return answer.done ? null : answer.value
    },
    close: () => lines?.close(),
  }
}
