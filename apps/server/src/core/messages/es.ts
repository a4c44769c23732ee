import type { RefusalCode } from '@aval/contract'

/** Español latinoamericano, de tú. Esta lista decide qué mensajes existen. */
export const es = {
  // Refusals
  input_invalid: 'Los datos enviados no son válidos.',
  field_required: 'Falta completar: {field}.',
  amount_invalid: 'La cantidad no es válida.',
  page_invalid: 'El número de página no es válido.',
  page_size_invalid: 'El tamaño de página va de 1 a 100.',
  json_invalid: 'El contenido enviado no es JSON válido.',
  username_invalid: 'El nombre de usuario lleva de 3 a 30 letras, números, puntos, guiones o guiones bajos.',
  email_invalid: 'El correo electrónico no es válido.',
  phone_invalid: 'El teléfono lleva solo números, de 6 a 20.',
  name_invalid: 'El nombre tiene más de 60 caracteres o contiene caracteres no permitidos.',
  password_too_short: 'La contraseña debe tener al menos 8 caracteres.',
  password_too_long: 'La contraseña puede tener 20 caracteres como máximo.',
  passwords_differ: 'Las contraseñas no coinciden.',
  captcha_required: 'Confirma que no eres un robot.',
  captcha_invalid: 'La verificación no es válida o ya venció. Vuelve a intentarlo.',
  idempotency_key_invalid: 'La clave de idempotencia no es válida.',
  not_signed_in: 'Inicia sesión para continuar.',
  credentials_wrong: 'El usuario o la contraseña no son correctos.',
  refresh_invalid: 'Tu sesión terminó. Vuelve a iniciar sesión.',
  not_allowed: 'No tienes permiso para hacer esto.',
  not_found: 'No lo encontramos.',
  page_not_found: 'Esa página no existe.',
  invoice_not_found: 'No encontramos ese pago.',
  username_taken: 'Ese nombre de usuario ya está en uso.',
  email_taken: 'Ese correo electrónico ya está registrado.',
  idempotency_key_reused: 'Esta clave de idempotencia ya se usó con otros datos.',
  body_too_large: 'Lo enviado es demasiado grande.',
  media_type_unsupported: 'El formato enviado no se acepta; usa JSON.',
  ref_code_unknown: 'El enlace de registro no es válido. Pídele uno nuevo a quien te invitó.',
  first_investment_too_small: 'La primera inversión es de al menos {limit}.',
  top_up_too_small: 'Cada aumento es de al menos {limit}.',
  amount_too_large: 'La cantidad supera el máximo de {limit}.',
  balance_too_small: 'Tu saldo no alcanza: tienes {available} disponibles.',
  too_many_open_invoices: 'Tienes demasiados pagos abiertos. Completa uno o espera a que venza.',
  payment_not_seen: 'Todavía no vemos tu pago en la red. Suele tardar unos minutos.',
  payment_confirming: 'Vemos tu pago: {confirmations} de {needed} confirmaciones.',
  payment_short: 'Recibimos {received} de {due}: faltan {missing}. Lo recibido está en tu saldo.',
  invoice_expired: 'Este pago venció. Crea uno nuevo; si ya enviaste dinero, llegará a tu saldo.',
  demo_only: 'Esto solo existe en la demostración local.',
  demo_busy: 'La demostración ya está avanzando; espera un momento.',
  pool_unknown: 'Ese fondo no existe.',
  company_funds_too_small: 'El capital de la empresa no alcanza: hay {available} disponibles.',
  too_many_requests: 'Demasiados intentos. Espera {seconds} segundos y vuelve a intentarlo.',
  unexpected: 'Algo salió mal de nuestro lado. Ya lo registramos; vuelve a intentarlo en un momento.',
  unavailable: 'El servicio no está disponible por ahora. Vuelve a intentarlo en un momento.',

  // How the fields of requests are called in "field_required"
  field_username: 'nombre de usuario',
  field_email: 'correo electrónico',
  field_password: 'contraseña',
  field_password2: 'repetir contraseña',
  field_amount: 'cantidad',
  field_txn_id: 'número de pago',

  // Investments
  reinvested: '¡Transacción exitosa, inversión aumentada!',
  payment_confirmed: 'Pago confirmado: {amount} ya son parte de tu inversión.',
  payment_late: 'Recibimos {received} después del vencimiento; están completos en tu saldo.',

  // Why a payment is what it is
  why_passive:
    '{percentage} % de {basis} que tenías invertidos al comenzar el {day}, según el plan versión {version}.',
  why_direct:
    '{percentage} % de {basis} que {name} invirtió el {day}, nivel {level}, según el plan versión {version}.',
  why_master:
    '{percentage} % de {basis} que {name} invirtió el {day}, por código máster en el nivel {level}, según el plan versión {version}.',

  // Operators
  pool_funded: 'El fondo recibió {amount}.',
} as const satisfies Record<RefusalCode, string> & Record<string, string>
