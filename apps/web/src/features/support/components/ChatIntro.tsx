import type { SupportTopic } from '@aval/contract'
import { useTranslation } from 'react-i18next'
import { TOPICS } from '../keeping.ts'

/** Who answers: teams of the company, by name. Nobody poses for a picture. */
const TEAMS = ['support', 'payments', 'accounts'] as const

interface ChatIntroProps {
  topic: SupportTopic | null
  onTopic: (topic: SupportTopic) => void
}

/** Who is there, what they promise, and four ways to begin. */
export function ChatIntro({ topic, onTopic }: ChatIntroProps) {
  const { t } = useTranslation('support')
  return (
    <section className="chat-intro" aria-labelledby="chat-agents">
      <ul className="chat-agents">
        {TEAMS.map((team) => {
          const name = t(`teams.${team}`)
          return (
            <li key={team} title={name}>
              <span className="chat-agent" data-team={team} data-initials={initialsOf(name)} />
              <span className="visually-hidden">{name}</span>
            </li>
          )
        })}
      </ul>
      <h3 id="chat-agents">{t('agents')}</h3>
      <p className="muted">{t('promise')}</p>
      <ul className="chat-topics">
        {TOPICS.map((name) => (
          <li key={name}>
            <button
              type="button"
              className="chat-quick"
              aria-pressed={name === topic}
              onClick={() => onTopic(name)}
            >
              {t(`topics.${name}`)}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

const initialsOf = (name: string) =>
  name
    .split(' ')
    .slice(0, 2)
    .map((word) => [...word][0] ?? '')
    .join('')
