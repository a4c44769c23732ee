import { useTranslation } from 'react-i18next'
import { chooseLanguage, language } from '../../api/language.ts'
import { Menu } from '../../ui/Menu.tsx'
import { Flag } from './flags.tsx'
import './flags.css'

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
