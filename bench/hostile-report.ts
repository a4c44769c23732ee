/** What came of hostile traffic, counted and told. */
import { type Crowd, VICTIMS, type Victim } from './hostile-people.ts'
import type { Run } from './hostile-run.ts'
import { spreadOf, tenth } from './measures.ts'
import { columnsOf, count, gridOf, hundredth, type Machine, machineLine, ms } from './report.ts'

export type Figures = ReturnType<typeof figuresOf>

/** Shown to know no proof of work where names are guessed at with proofs: it may wait until the attack is over. */
const MAY_WAIT: Victim = 'besieged'

const isServerFault = (name: string): boolean => / (5\d\d|none)$/.test(name)

/** One victim's times in one part of the run. */
function timesOf({ seen }: Run['attack'], victim: Victim) {
  const own = seen.outcomes.filter((outcome) => outcome.victim === victim)
  const times = own.flatMap(({ ms }) => (ms === null ? [] : [ms]))
  return { wanted: own.length, succeeded: times.length, ...spreadOf(times) }
}

/** Answers by what was asked and the status. */
function answersOf(...tallies: readonly ReadonlyMap<string, number>[]): Record<string, number> {
  const all: Record<string, number> = {}
  for (const tally of tallies) for (const [name, times] of tally) all[name] = (all[name] ?? 0) + times
  return Object.fromEntries(Object.entries(all).toSorted(([left], [right]) => (left < right ? -1 : 1)))
}

/** Accounts that attackers got into, by what protects them. */
function openedOf({ attack, accounts }: Run) {
  const opened = new Set(attack.done?.opened)
  const half = new Set(attack.done?.halfOpened)
  const among = (numbers: ReadonlySet<number>, wanted: (account: Run['accounts'][number]) => boolean) =>
    accounts.filter((account) => numbers.has(account.number) && wanted(account)).length
  return {
    /** Their password is in no list: it would have been guessed. */
    notLeaked: among(opened, ({ isLeaked }) => !isLeaked),
    /** The attackers had the password, and nothing else stood in the way. */
    leakedAlone: among(opened, ({ isLeaked, isGuarded }) => isLeaked && !isGuarded),
    /** The attackers had the password; a code was asked for. */
    leakedWithSecondFactor: among(opened, ({ isGuarded }) => isGuarded),
    /** Of the last: accounts whose second step was reached. */
    secondStepReached: among(half, ({ isGuarded }) => isGuarded),
    resetCodesGuessed: attack.done?.codesGuessed ?? 0,
  }
}

function failuresOf(
  opened: ReturnType<typeof openedOf>,
  attack: Record<Victim, ReturnType<typeof timesOf>>,
  answers: Record<string, number>,
) {
  const said: string[] = []
  const broken = opened.notLeaked + opened.leakedWithSecondFactor + opened.resetCodesGuessed
  if (broken > 0) said.push(`${broken} accounts were broken into`)
  for (const victim of VICTIMS) {
    const { wanted, succeeded } = attack[victim]
    if (succeeded < wanted && victim !== MAY_WAIT)
      said.push(`${victim}: ${wanted - succeeded} of ${wanted} gave up`)
  }
  for (const [name, times] of Object.entries(answers)) if (isServerFault(name)) said.push(`${name}: ${times}`)
  return said
}

export function figuresOf(run: Run) {
  const { baseline, attack, sizes, mails, mostMails, failedTries, apiMb } = run
  const each = (part: Run['attack']) =>
    Object.fromEntries(VICTIMS.map((victim) => [victim, timesOf(part, victim)])) as Record<
      Victim,
      ReturnType<typeof timesOf>
    >
  const [calm, attacked] = [each(baseline), each(attack)]
  const answers = answersOf(...(attack.done === null ? [] : [attack.done.tally]), attack.seen.tally)
  const hostile = Object.entries(answers).filter(([name]) => !name.startsWith('victims'))
  const opened = openedOf(run)
  return {
    failures: failuresOf(opened, attacked, answers),
    opened,
    /** Calls of the attackers that were answered, and those that they could not even send. */
    hostileCalls: hostile.reduce((sum, [, times]) => sum + times, 0),
    notSent: attack.done?.skipped ?? 0,
    victims: { calm, attacked },
    answers,
    /** Seconds of processors a minute. */
    processors: {
      calm: perMinute(baseline),
      attacked: perMinute(attack),
    },
    ...{ sizes, mails, mostMails, failedTries, apiMb },
  }
}

const perMinute = ({ used, ms }: Run['attack']) => {
  const minutes = ms / 60_000
  return {
    api: hundredth(used.api / minutes),
    worker: hundredth(used.worker / minutes),
    postgres: hundredth(used.postgres / minutes),
  }
}

const CALLED: Readonly<Record<Victim, string>> = {
  known: 'on a known device',
  new: 'on a new device, with a proof of work where one is asked for',
  code: 'on a known device, second factor, password known to the attackers',
  reset: 'gets a new password by code or link, and signs in on a new device',
  waits: 'client without cookies and proofs, waits as it is told',
  besieged: 'the same where attackers send proofs at its name',
}

const ratio = (value: number, base: number) => (base === 0 ? '–' : `${(value / base).toFixed(1)} ×`)

function victimLines({ victims: { calm, attacked } }: Figures): string {
  const lines = VICTIMS.map((victim) => {
    const [quiet, loud] = [calm[victim], attacked[victim]]
    return [
      `${loud.succeeded} of ${loud.wanted}`,
      ms(quiet.p50),
      ms(loud.p50),
      ratio(loud.p50, quiet.p50),
      ms(loud.slowest),
      CALLED[victim],
    ]
  })
  return gridOf(14, [['Got in', 'Median, calm', 'attacked', 'ratio', 'worst', 'Who'], ...lines])
}

/** Statuses of each kind of call, a line a kind. */
function answerLines(answers: Record<string, number>): string {
  const kinds = Map.groupBy(Object.entries(answers), ([name]) => name.slice(0, name.lastIndexOf(' ')))
  return columnsOf(
    [...kinds].map(([kind, each]) => [
      kind,
      each.map(([name, times]) => `${name.slice(name.lastIndexOf(' ') + 1)}: ${count(times)}`).join(', '),
    ]),
  )
}

const listed = (numbers: Readonly<Record<string, number>>) =>
  Object.entries(numbers)
    .map(([name, value]) => `${name} ${value >= 100 ? count(value) : tenth(value)}`)
    .join(', ')

export function tableOf(
  figures: Figures,
  crowd: Crowd,
  { machine, after }: { readonly machine: Machine; readonly after: Machine },
): string {
  const { opened, processors, sizes } = figures
  const sizeLines = Object.entries(sizes.after).map(([table, { rows, kb }]) => [
    table,
    `${count(rows)} rows, ${count(kb)} kB (${count(rows - (sizes.before[table]?.rows ?? 0))} and ${count(kb - (sizes.before[table]?.kb ?? 0))} more)`,
  ])
  return [
    columnsOf([
      [`${machineLine(machine)} before, ${after.loadAverage.toFixed(1)} after`],
      ['Accounts, addresses', `${count(crowd.accounts)}, ${count(crowd.addresses)}`],
      ['Hostile calls', `${count(figures.hostileCalls)} answered, ${count(figures.notSent)} not sent`],
      ['Opened: password in no list', `${opened.notLeaked}`],
      [
        'Opened: password leaked, second factor',
        `${opened.leakedWithSecondFactor} of ${crowd.guarded + 1} (code asked for at ${opened.secondStepReached})`,
      ],
      ['Opened: password leaked, nothing else', `${opened.leakedAlone} of ${crowd.leaked}`],
      ['New passwords by guessed codes', `${opened.resetCodesGuessed}`],
      ['Processors, seconds a minute, calm', listed(processors.calm)],
      ['attacked', listed(processors.attacked)],
      ['Memory of the API', `${figures.apiMb} MB`],
      ['Failed tries', listed(figures.failedTries)],
      ['Most mails to anybody', listed(figures.mostMails)],
      ...VICTIMS.map((victim) => [`Mails to ${victim}`, listed(figures.mails[victim] ?? {})]),
    ]),
    victimLines(figures),
    answerLines(figures.answers),
    columnsOf(sizeLines),
    figures.failures.length === 0 ? 'Nothing failed.' : `FAILED: ${figures.failures.join('; ')}`,
  ].join('\n\n')
}
