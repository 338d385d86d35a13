//! State that outlives a step, as a row of numbers: what a restarted process goes on from, and what
//! two runs are compared by.
//!
//! A type declares its state once, with [`stateful!`](crate::stateful): the parts in their order.
//! Saving, loading and counting follow from that.

use crate::{Coordinate, WheelState};

/// Something with a state. A model without one keeps the defaults.
pub trait Stateful {
    /// Writes all parts of the state, always as many numbers. It neither allocates nor panics.
    fn put(&self, _saver: &mut Saver<'_>) {}

    /// Takes all parts back in the same order.
    fn take(&mut self, _loader: &mut Loader<'_>) {}

    /// Writes the whole state and returns how many numbers it has; those beyond the end of
    /// `numbers` are counted, not kept. Called in every step.
    #[inline]
    fn save(&self, numbers: &mut [f64]) -> usize {
        let mut saver = Saver { numbers, count: 0 };
        self.put(&mut saver);
        saver.count
    }

    /// Takes the state back and returns how many numbers it has. The caller has checked that they
    /// are finite and as many as [`Stateful::save`] gives.
    #[inline]
    fn load(&mut self, numbers: &[f64]) -> usize {
        let mut loader = Loader { numbers, count: 0 };
        self.take(&mut loader);
        loader.count
    }
}

/// Where numbers go.
#[derive(Debug)]
pub struct Saver<'a> {
    numbers: &'a mut [f64],
    count: usize,
}

impl Saver<'_> {
    #[inline]
    fn put(&mut self, number: f64) {
        if let Some(place) = self.numbers.get_mut(self.count) {
            *place = number;
        }
        self.count += 1;
    }
}

/// Where numbers come from.
#[derive(Debug)]
pub struct Loader<'a> {
    numbers: &'a [f64],
    count: usize,
}

impl Loader<'_> {
    /// The next number; NaN when there are no more.
    #[inline]
    fn take(&mut self) -> f64 {
        let number = self.numbers.get(self.count).copied().unwrap_or(f64::NAN);
        self.count += 1;
        number
    }
}

/// Declares the state of a type by its parts, and what follows from them once they are loaded:
///
/// ```
/// struct Counter {
///     count: u64,
///     sums: [f64; 4],
///     used: usize,
///     mean: f64,
/// }
/// impl Counter {
///     fn update(&mut self) {
///         self.mean = self.sums[..self.used].iter().sum::<f64>() / self.count as f64;
///     }
/// }
/// vehicle::stateful!(Counter, |it| it.count, it.sums[..it.used]; it.update());
///
/// use vehicle::state::Stateful;
/// let mut numbers = [0.0; 8];
/// let mut counter = Counter { count: 3, sums: [1.0, 5.0, 9.0, 9.0], used: 2, mean: 2.0 };
/// assert_eq!((counter.save(&mut numbers), numbers[..3].to_vec()), (3, vec![3.0, 1.0, 5.0]));
/// counter.load(&[4.0, 3.0, 5.0]);
/// assert_eq!(counter.mean, 2.0);
/// ```
#[macro_export]
macro_rules! stateful {
    ($type:ty, |$it:ident| $($part:expr),+ $(; $then:expr)?) => {
        impl $crate::state::Stateful for $type {
            #[inline]
            fn put(&self, saver: &mut $crate::state::Saver<'_>) {
                let $it = self;
                $($crate::state::Stateful::put(&$part, saver);)+
            }

            #[inline]
            fn take(&mut self, loader: &mut $crate::state::Loader<'_>) {
                let $it = self;
                $($crate::state::Stateful::take(&mut $part, loader);)+
                $($then;)?
            }
        }
    };
}

/// Numbers, as they are written and as they are read.
macro_rules! numbers {
    ($($type:ty: |$it:ident| $put:expr, |$number:ident| $take:expr;)+) => {$(
        impl Stateful for $type {
            #[inline]
            fn put(&self, saver: &mut Saver<'_>) {
                let $it = *self;
                saver.put($put);
            }

            #[inline]
            fn take(&mut self, loader: &mut Loader<'_>) {
                let $number = loader.take();
                *self = $take;
            }
        }
    )+};
}

numbers! {
    f64: |it| it, |number| number;
    bool: |it| f64::from(u8::from(it)), |number| number > 0.5;
    u8: |it| f64::from(it), |number| number as u8;
    i32: |it| f64::from(it), |number| number as i32;
    u64: |it| it as f64, |number| number as u64;
    usize: |it| it as f64, |number| number as usize;
}

impl<T: Stateful> Stateful for [T] {
    #[inline]
    fn put(&self, saver: &mut Saver<'_>) {
        self.iter().for_each(|part| part.put(saver));
    }

    #[inline]
    fn take(&mut self, loader: &mut Loader<'_>) {
        self.iter_mut().for_each(|part| part.take(loader));
    }
}

impl<T: Stateful, const N: usize> Stateful for [T; N] {
    #[inline]
    fn put(&self, saver: &mut Saver<'_>) {
        self.as_slice().put(saver);
    }

    #[inline]
    fn take(&mut self, loader: &mut Loader<'_>) {
        self.as_mut_slice().take(loader);
    }
}

impl<T: Stateful + ?Sized> Stateful for Box<T> {
    fn put(&self, saver: &mut Saver<'_>) {
        (**self).put(saver);
    }

    fn take(&mut self, loader: &mut Loader<'_>) {
        (**self).take(loader);
    }
}

/// A model that a vehicle may do without.
impl<T: Stateful + ?Sized> Stateful for Option<Box<T>> {
    fn put(&self, saver: &mut Saver<'_>) {
        self.iter().for_each(|model| model.put(saver));
    }

    fn take(&mut self, loader: &mut Loader<'_>) {
        self.iter_mut().for_each(|model| model.take(loader));
    }
}

stateful!(Coordinate, |it| it.value, it.rate, it.acceleration);
// What the next step begins with; the others are worked out anew.
stateful!(WheelState, |it| it.load_n, it.lateral_force_n, it.aligning_torque_nm);

/// A coordinate of the steering, where a manoeuvre moves it.
impl Stateful for Option<Coordinate> {
    fn put(&self, saver: &mut Saver<'_>) {
        self.is_some().put(saver);
        self.unwrap_or_default().put(saver);
    }

    fn take(&mut self, loader: &mut Loader<'_>) {
        let (mut is_some, mut coordinate) = (false, Coordinate::default());
        is_some.take(loader);
        coordinate.take(loader);
        *self = is_some.then_some(coordinate);
    }
}
