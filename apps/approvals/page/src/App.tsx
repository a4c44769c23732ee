/** The approvals page: who you are, and either the approvals or the place where keys are made. */
import { useEffect, useMemo, useState } from 'react'
import { Approving } from './Approving.tsx'
import type { Settings } from './answers.rules.ts'
import { getSettings, Refused } from './api.ts'
import { Enrol } from './Enrol.tsx'
import { useKept, useOperator } from './kept.ts'
import { Stopped } from './ListView.tsx'
import { Brand, Failure, Notice } from './parts.tsx'
import { type NoKey, shortForm, whyNoKey } from './passkey.rules.ts'
import { ENROL, useHash } from './place.ts'
import { TextsContext, textsIn, useTexts } from './texts.ts'
import { useList } from './useList.ts'
import { Who } from './Who.tsx'
import { ClockAhead } from './Withdrawal.tsx'

const AGAIN_MS = 3_000
/** A clock that is further off is worth a word. */
const CLOCK_MS = 30_000

function useSettings() {
  const [settings, setSettings] = useState<Settings | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = () =>
      getSettings().then(setSettings, (error: unknown) => {
        setFailure(error instanceof Refused ? error.message : 'unexpected')
        timer = setTimeout(look, AGAIN_MS)
      })
    void look()
    return () => clearTimeout(timer)
  }, [])
  return { settings, failure }
}

export function App() {
  const [language, setLanguage] = useKept('language', ['es', 'en'])
  const [scheme, setScheme] = useKept('scheme', ['dark', 'light'])
  const texts = useMemo(() => textsIn(language, navigator.languages), [language])
  const { settings, failure } = useSettings()
  const { say } = texts
  useEffect(() => {
    document.documentElement.lang = language
    document.title = `Aval · ${say('title')}`
  }, [language, say])
  useEffect(() => document.documentElement.setAttribute('data-color-scheme', scheme), [scheme])
  return (
    <TextsContext value={texts}>
      <header className="top">
        <Brand />
        <span className="top-title cut">{say('title')}</span>
        <span className="top-actions">
          <button
            type="button"
            className="button button-quiet button-small"
            lang={language === 'es' ? 'en' : 'es'}
            onClick={() => setLanguage(language === 'es' ? 'en' : 'es')}
          >
            {say(language === 'es' ? 'toEnglish' : 'toSpanish')}
          </button>
          <button
            type="button"
            className="button button-quiet button-small"
            onClick={() => setScheme(scheme === 'dark' ? 'light' : 'dark')}
          >
            {say(scheme === 'dark' ? 'toLight' : 'toDark')}
          </button>
        </span>
      </header>
      <main className="page stack-16">
        {settings === null ? <Failure code={failure} /> : <Places settings={settings} />}
      </main>
      {settings === null ? null : <Foot settings={settings} />}
    </TextsContext>
  )
}

function Foot({ settings }: { settings: Settings }) {
  const { say } = useTexts()
  return (
    <footer className="page foot muted small row-16">
      <span>{say('network', { network: settings.network })}</span>
      <span>
        <span>{say('page', { hash: '' })}</span>
        <code className="hash">{shortForm(settings.page)}</code>
      </span>
    </footer>
  )
}

function Places({ settings }: { settings: Settings }) {
  const noKey = whyNoKey({
    origin: location.origin,
    url: settings.url,
    isSecure: isSecureContext,
    knowsPasskeys: typeof PublicKeyCredential === 'function',
  })
  return (
    <>
      {noKey === null ? null : <NoKeyHere why={noKey} url={settings.url} />}
      {/* Elsewhere the process gives no data. */}
      {noKey === 'other_address' ? null : <Office settings={settings} noKey={noKey} />}
    </>
  )
}

function NoKeyHere({ why, url }: { why: NoKey; url: string }) {
  const { say } = useTexts()
  return (
    <div className="notice notice-wait notice-action">
      <p>{say(`noKey.${why}`, { url })}</p>
      {why === 'other_address' ? (
        <a className="button button-primary" href={url}>
          {say('open', { url })}
        </a>
      ) : null}
    </div>
  )
}

function Office({ settings, noKey }: { settings: Settings; noKey: NoKey | null }) {
  const { say, sayCode } = useTexts()
  const listed = useList()
  const [operator, setOperator] = useOperator()
  const isEnrolling = useHash() === ENROL
  const { list, ahead, failure } = listed
  if (list === null)
    return failure === null ? <p className="state">{say('loading')}</p> : <Failure code={failure} />
  // Who is an operator no more is nobody here.
  const known = list.operators.some(({ id }) => id === operator) ? operator : null
  return (
    <>
      <Who
        operators={list.operators}
        operator={known}
        onOperator={setOperator}
        noKey={noKey}
        enrolling={isEnrolling}
      />
      <Stopped list={list} />
      {failure === null ? null : <Notice kind="wait">{say('stale', { why: sayCode(failure) })}</Notice>}
      {Math.abs(ahead) < CLOCK_MS ? null : (
        <Notice kind="wait">{say('clock', { seconds: Math.round(Math.abs(ahead) / 1_000) })}</Notice>
      )}
      {/* What was chosen outlives a look at the other place. */}
      <div hidden={isEnrolling}>
        <ClockAhead value={ahead + list.clockAhead}>
          <Approving
            settings={settings}
            listed={listed}
            operator={known}
            onOperator={setOperator}
            noKey={noKey}
          />
        </ClockAhead>
      </div>
      {isEnrolling ? <Enrol key={known} operators={list.operators} operator={known} noKey={noKey} /> : null}
    </>
  )
}
