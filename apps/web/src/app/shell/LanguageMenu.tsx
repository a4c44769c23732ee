import { useTranslation } from 'react-i18next'
import { chooseLanguage, language } from '../../api/language.ts'
import { IconWorld } from '../../ui/icons.ts'
import { Menu, MenuItem } from '../../ui/Menu.tsx'

/** Each language by its own name. */
const LANGUAGES = [
  { id: 'es', name: 'Español' },
  { id: 'en', name: 'English' },
] as const

export function LanguageMenu() {
  const { t } = useTranslation('app')
  return (
    <Menu label={t('language')} trigger={<IconWorld size={20} stroke={1.5} />}>
      {LANGUAGES.map(({ id, name }) => (
        <MenuItem key={id} lang={id} checked={id === language} onSelect={() => chooseLanguage(id)}>
          {name}
        </MenuItem>
      ))}
    </Menu>
  )
}
