/** Makes the demo network once, by the real commands, and knows its sign-ins afterwards. */
import type { ChildProcess } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { root } from '../core/config.ts'
import { runTask } from './processes.ts'

const signIn = z.object({
  role: z.string(),
  /** What an operator works as. */
  as: z.string().optional(),
  username: z.string(),
  password: z.string(),
  /** Base32, for an authenticator app: a sign-in with one is asked for a code. */
  totp: z.string().optional(),
  /** Member number of an operator, for whom the signer's key file has a secret. */
  memberId: z.string().optional(),
  /** False for an operator who does not approve. */
  approves: z.boolean().optional(),
})
export type SignIn = z.infer<typeof signIn>

const progress = z.object({
  progress: z.object({ done: z.number(), total: z.number(), label: z.string() }),
})
export type Progress = z.infer<typeof progress>['progress']

const approvers = z.object({ approvers: z.array(z.string()) })

const signIns = z.looseObject({ signIns: z.array(signIn) })

/** Written by the seeder when it is through; null before, and where it is of a version whose operators had no codes. */
export async function readSignIns(dataDir: string): Promise<SignIn[] | null> {
  const text = await readFile(join(dataDir, 'demo.json'), 'utf8').catch(() => '')
  if (text === '') return null
  const known = signIns.parse(JSON.parse(text)).signIns
  return known.every(
    ({ role, totp, memberId }) => role !== 'operator' || (totp !== undefined && memberId !== undefined),
  )
    ? known
    : null
}

/** A seeder that is silent for longer waits for something that does not come. */
const silenceLimitMs = 600_000

/** @throws Refusal when the seeder ends otherwise than well. */
export async function seedDemo(options: {
  entry: string
  dataDir: string
  env: Readonly<Record<string, string>>
  started: (child: ChildProcess) => void
  onProgress: (progress: Progress) => void
  /** Lets these members approve, by number. @returns false where it cannot */
  pinApprovers: (members: readonly string[]) => Promise<boolean>
}): Promise<SignIn[]> {
  let received: SignIn[] = []
  const spec = {
    name: 'seed-demo',
    failure: 'The demo network could not be made',
    entry: options.entry,
    cwd: root,
    env: options.env,
    heapMb: 512,
  }
  let silence: NodeJS.Timeout | undefined
  let seeder: ChildProcess | undefined
  const started = (child: ChildProcess) => {
    seeder = child
    silence = setTimeout(() => child.kill(), silenceLimitMs)
    options.started(child)
  }
  const hear = (raw: unknown) => {
    silence?.refresh()
    const step = progress.safeParse(raw)
    if (step.success) options.onProgress(step.data.progress)
    const asked = approvers.safeParse(raw)
    if (asked.success)
      options.pinApprovers(asked.data.approvers).then(
        (pinned) => seeder?.send({ pinned }),
        () => seeder?.kill(),
      )
    const last = signIns.safeParse(raw)
    if (last.success) received = last.data.signIns
  }
  await runTask(spec, options.dataDir, started, hear).finally(() => clearTimeout(silence))
  return (await readSignIns(options.dataDir)) ?? received
}
