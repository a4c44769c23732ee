/** The approvals page: who you are, the list, what you sign, what became of it; and where keys are made. */
import { useEffect, useId, useMemo, useState, useSyncExternalStore } from 'react'
import type { List, Operator, Settings } from './answers.rules.ts'
import { getSettings, Refused } from './api.ts'
import { type ChosenDecisions, DecisionReview, DecisionsView } from './Decisions.tsx'
import type { Decision } from './decisions.rules.ts'
import { Enrol } from './Enrol.tsx'
import { useKept, useOperator } from './kept.ts'
import { type Chosen, ListView, Stopped } from './ListView.tsx'
import { type Row, shownRows } from './list.rules.ts'
import type { Submitted } from './Proofs.tsx'
import { Brand, Failure, Notice } from './parts.tsx'
import { type NoKey, shortForm, whyNoKey } from './passkey.rules.ts'
import { PasskeyFailed, whoseKey } from './passkey.ts'
import { Review } from './Review.tsx'
import { StateView } from './StateView.tsx'
import { TextsContext, textsIn, useTexts } from './texts.ts'
import { type Listed, useList } from './useList.ts'

const AGAIN_MS = 3_000
/** A clock that is further off is worth a word. */
const CLOCK_MS = 30_000

const ENROL = '#enrol'

function useHash(): string {
  return useSyncExternalStore(
    (changed) => {
      addEventListener('hashchange', changed)
      return () => removeEventListener('hashchange', changed)
    },
    () => location.hash,
  )
}

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
  const texts = useMemo(() => textsIn(language), [language])
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
        {say('page', { hash: '' })}
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
        <Approving
          settings={settings}
          listed={listed}
          operator={known}
          onOperator={setOperator}
          noKey={noKey}
        />
      </div>
      {isEnrolling ? <Enrol key={known} operators={list.operators} operator={known} noKey={noKey} /> : null}
    </>
  )
}

interface ApprovingProps {
  readonly settings: Settings
  readonly listed: Listed
  readonly operator: string | null
  readonly onOperator: (operator: string) => void
  readonly noKey: NoKey | null
}

type Reviewing =
  | { readonly purpose: 'withdrawals'; readonly rows: readonly Row[] }
  | { readonly purpose: 'decisions'; readonly decisions: readonly Decision[] }

/** Choose, review, and see what became of it. */
function Approving(props: ApprovingProps) {
  const { listed, operator, onOperator } = props
  const [chosen, setChosen] = useState<Chosen>(new Map())
  const [chosenDecisions, setChosenDecisions] = useState<ChosenDecisions>(new Map())
  const [reviewing, setReviewing] = useState<Reviewing | null>(null)
  const [submitted, setSubmitted] = useState<Submitted | null>(null)
  const [otherKey, setOtherKey] = useState<string | null>(null)
  const { say } = useTexts()
  if (listed.list === null) return null
  const { decisions, operators } = listed.list
  if (submitted !== null)
    return (
      <StateView
        submitted={submitted}
        onDone={(isVoid) => {
          if (!isVoid && submitted.purpose === 'decisions') setChosenDecisions(new Map())
          else if (!isVoid) setChosen(new Map())
          setSubmitted(null)
          void listed.refresh()
        }}
      />
    )
  if (reviewing !== null)
    return (
      <Reviewed
        {...props}
        list={listed.list}
        reviewing={reviewing}
        onOtherKey={(owner) => {
          onOperator(owner)
          setOtherKey(owner)
          setReviewing(null)
        }}
        onBack={() => setReviewing(null)}
        onSubmitted={(made) => {
          setSubmitted(made)
          setReviewing(null)
        }}
      />
    )
  const review = (next: Reviewing) => {
    setOtherKey(null)
    setReviewing(next)
  }
  return (
    <div className="stack-16">
      {otherKey === null ? null : (
        <div role="alert">
          <Notice kind="wait">{say('otherKey', { name: nameOf(operators, otherKey) })}</Notice>
        </div>
      )}
      <DecisionsView
        fresh={decisions}
        operator={operator}
        offline={props.settings.offline}
        chosen={chosenDecisions}
        setChosen={setChosenDecisions}
        onReview={(shown) => review({ purpose: 'decisions', decisions: shown })}
      />
      <ListView
        list={listed.list}
        operator={operator}
        chosen={chosen}
        setChosen={setChosen}
        onReview={(rows) => review({ purpose: 'withdrawals', rows })}
      />
    </div>
  )
}

interface ReviewedProps extends ApprovingProps {
  readonly list: List
  readonly reviewing: Reviewing
  readonly onOtherKey: (operator: string) => void
  readonly onBack: () => void
  readonly onSubmitted: (submitted: Submitted) => void
}

function Reviewed({ list, reviewing, listed, ...props }: ReviewedProps) {
  const shared = { ...props, ahead: listed.ahead }
  if (reviewing.purpose === 'decisions')
    return <DecisionReview {...shared} decisions={reviewing.decisions} fresh={list.decisions} />
  const { rows } = reviewing
  const marked = shownRows(list.rows, new Map(rows.map((row) => [row.id, row])))
  return <Review {...shared} rows={rows} marked={marked.filter(({ mark }) => mark !== null).length} />
}

const nameOf = (operators: readonly Operator[], id: string): string =>
  operators.find((operator) => operator.id === id)?.username ?? id

interface WhoProps {
  readonly operators: readonly Operator[]
  readonly operator: string | null
  readonly onOperator: (operator: string | null) => void
  readonly noKey: NoKey | null
  readonly enrolling: boolean
}

/** Says whose approvals these are; that alone approves nothing. */
function Who({ operators, operator, onOperator, noKey, enrolling }: WhoProps) {
  const { say } = useTexts()
  const [failure, setFailure] = useState<string | null>(null)
  const id = useId()
  const ask = async () => {
    setFailure(null)
    try {
      onOperator(await whoseKey())
    } catch (error) {
      setFailure(error instanceof PasskeyFailed ? error.message : 'passkey_failed')
    }
  }
  return (
    <div className="stack-8">
      <div className="who">
        <div className="field">
          <label className="field-label" htmlFor={id}>
            {say('who')}
          </label>
          <div className="field-box">
            <select
              id={id}
              value={operator ?? ''}
              onChange={(event) => onOperator(event.target.value || null)}
            >
              <option value="">{say('whoNobody')}</option>
              {operators.map(({ id: number, username, name }) => (
                <option key={number} value={number}>
                  {name === '' ? username : `${username} · ${name}`}
                </option>
              ))}
            </select>
          </div>
        </div>
        {noKey === null ? (
          <button type="button" className="button button-secondary" onClick={() => void ask()}>
            {say('whoByKey')}
          </button>
        ) : null}
        <a className="button button-quiet who-place" href={enrolling ? '#' : ENROL}>
          {say(enrolling ? 'toList' : 'toEnrol')}
        </a>
      </div>
      <Failure code={failure} />
    </div>
  )
}
