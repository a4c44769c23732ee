import { useEffect } from 'react'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../api/failure.ts'
import { Button } from '../../../ui/Button.tsx'
import { formats } from '../../../ui/format.ts'
import { IconKey, IconMail, IconPlayerTrackNext } from '../../../ui/icons.ts'
import { useFailureText } from '../../../ui/useFailureText.ts'
import './demo.css'
import type { DemoState } from '@aval/contract'
import { client, OTHER_TAGS, TAGS } from '../../../api/client.ts'

/** While another tab or person advances the day, look again this often. */
const LOOK_AGAIN = 2000

/**
 * The demo's clock, at the foot of the window. It lies over the page's own bottom margin, so that nothing moves when
 * it appears.
 */
export function DemoBar() {
  const { t } = useTranslation(['demo', 'ui'])
  const sayFailure = useFailureText()
  const { data, refetch } = useDemoQuery()
  const [advance, { isLoading }] = useAdvanceDayMutation()
  const elsewhere = data?.advancing === true && !isLoading

  useEffect(() => {
    if (!elsewhere) return
    const timer = setInterval(() => void refetch(), LOOK_AGAIN)
    return () => clearInterval(timer)
  }, [elsewhere, refetch])

  if (data?.enabled !== true) return null
  const run = async () => {
    const answer = await advance()
    if (answer.error !== undefined) toast.error(sayFailure(answer.error as Failure))
    else toast.success(t('demo:advanced', { date: formats.longDate(answer.data.now) }))
  }
  const busy = isLoading || elsewhere
  return (
    <aside className="card-head demo-bar" aria-label={t('demo:label')}>
      <p>
        <span className="badge badge-accent">{t('demo:demo')}</span>
        <span className="cut muted demo-date">{formats.date(data.now)}</span>
        <DemoLink href={data.mail} Icon={IconMail} text={t('demo:mail')} />
        <DemoLink href={data.codes} Icon={IconKey} text={t('demo:codes')} />
      </p>
      <Button
        size="small"
        busy={busy}
        icon={<IconPlayerTrackNext size={16} stroke={1.7} aria-hidden="true" />}
        onClick={run}
      >
        {t(busy ? 'demo:advancing' : 'demo:advance')}
      </Button>
    </aside>
  )
}

/** What only the demo shows, in a tab of its own; nothing where it has no address. */
function DemoLink({ href, Icon, text }: { href: string | null; Icon: typeof IconMail; text: string }) {
  const { t } = useTranslation('ui')
  // An answer of an earlier server names none.
  if (href == null) return null
  return (
    <a href={href} target="_blank" rel="noreferrer" className="outside-link small demo-link">
      <Icon size={16} stroke={1.7} aria-hidden="true" />
      <span>{text}</span>
      <span className="visually-hidden">{t('opensNewTab')}</span>
    </a>
  )
}

/** A day of a whole network is paid before the answer comes. */
const PATIENCE = 180_000

const demoApi = client.injectEndpoints({
  endpoints: (build) => ({
    demo: build.query<DemoState, void>({
      query: () => ({ path: 'demo/' }),
      providesTags: ['Demo'],
    }),
    advanceDay: build.mutation<DemoState, void>({
      query: () => ({ path: 'demo/advance-day/', method: 'POST', body: {}, patience: PATIENCE }),
      invalidatesTags: (answer) => (answer === undefined ? [] : [...TAGS, ...OTHER_TAGS]),
    }),
  }),
})

export const { useDemoQuery, useAdvanceDayMutation } = demoApi
