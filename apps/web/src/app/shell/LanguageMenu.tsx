import { useTranslation } from 'react-i18next'
import { chooseLanguage, language } from '../../api/language.ts'
import { Menu } from '../../ui/Menu.tsx'
import './flags.css'
import type { Locale } from '@aval/contract'

/** Each language by its own name. */
const LANGUAGES = [
  { id: 'es', name: 'Español' },
  { id: 'en', name: 'English' },
] as const

export function LanguageMenu() {
  const { t } = useTranslation('app')
  return (
    <Menu
      label={t('language')}
      trigger={<Flag of={language} />}
      items={LANGUAGES.map(({ id, name }) => ({
        key: id,
        label: name,
        lang: id,
        checked: id === language,
        icon: <Flag of={id} />,
        onSelect: () => chooseLanguage(id),
      }))}
    />
  )
}

/** A small flag beside a language's own name; decoration, because a language is no country. */
function Flag({ of }: { of: Locale }) {
  return (
    <svg className="flag" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" focusable="false">
      {of === 'es' ? <Spain /> : <UnitedStates />}
    </svg>
  )
}

function Spain() {
  return (
    <>
      <path fill="#c60b1e" d="M0 0h24v24H0z" />
      <path fill="#ffc400" d="M0 6.5h24v11H0z" />
    </>
  )
}

function UnitedStates() {
  return (
    <>
      <path fill="#fff" d="M0 0h24v24H0z" />
      <path stroke="#b22234" strokeWidth="3.43" d="M0 1.7h24M0 8.57h24M0 15.43h24M0 22.29h24" />
      <path fill="#3c3b6e" d="M0 0h13v13H0z" />
      <path
        stroke="#fff"
        strokeWidth="1.6"
        strokeLinecap="round"
        d="M3 3.5h0M6.5 3.5h0M10 3.5h0M4.7 6.5h0M8.3 6.5h0M3 9.5h0M6.5 9.5h0M10 9.5h0"
      />
    </>
  )
}
