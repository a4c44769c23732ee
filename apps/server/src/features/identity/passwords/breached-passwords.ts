/**
 * Asks a service of leaked passwords (the range search of Have I Been Pwned, or a copy of it) about a new one. It learns five of
 * the 40 digits of the password's SHA-1, which some thousand leaked passwords share, and nothing of whose it is.
 */
import { createHash } from 'node:crypto'

const PREFIX = 5
const TIMEOUT_MS = 2_000
/** Answers have some 40,000 characters. */
const MOST_CHARACTERS = 1_000_000
/** Of an outage one line a minute is enough. */
const QUIET_MS = 60_000

let said = Number.NEGATIVE_INFINITY

/** For who reads the process's log: without an answer passwords are taken, and somebody should know. */
function complain(error: unknown): void {
  if (Date.now() - said < QUIET_MS) return
  said = Date.now()
  const why = error instanceof Error ? error.message : String(error)
  process.emitWarning(`New passwords are not compared with leaked ones: ${why}`, 'BreachedPasswords')
}

async function readAtMost(answer: Response): Promise<string> {
  let text = ''
  for await (const part of (answer.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    text += part
    if (text.length > MOST_CHARACTERS) throw new Error('the answer is too long')
  }
  return text
}

/** Lines are `<the other 35 digits>:<how often>`; with padding, some are there zero times. */
const isListed = (text: string, suffix: string): boolean =>
  text.split('\n').some((line) => {
    const [digits = '', count = ''] = line.trim().split(':')
    return digits.toUpperCase() === suffix && Number(count) > 0
  })

/**
 * False when nobody answers within two seconds, too: an outage elsewhere must keep nobody from choosing a password.
 * @param url to which `/` and five digits are added
 */
export async function isBreached(url: string, password: string): Promise<boolean> {
  const digits = createHash('sha1').update(password.normalize('NFC')).digest('hex').toUpperCase()
  try {
    const answer = await fetch(`${url}/${digits.slice(0, PREFIX)}`, {
      headers: { 'add-padding': 'true', 'user-agent': 'aval' },
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (!answer.ok) throw new Error(`it answered ${answer.status}`)
    return isListed(await readAtMost(answer), digits.slice(PREFIX))
  } catch (error) {
    complain(error)
    return false
  }
}
