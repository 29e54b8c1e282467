//! Removes elements from a graph, and renumbers the rest.
//!
//! Invariants: remaining elements only refer to remaining elements.

use super::{Edge, Face, Graph, SiteType};
use crate::layout::geometry::Spot;

impl Graph {
    /// Removes every face of the graph.
    pub fn clear_faces(&mut self) {
        self.faces.clear();
        self.edges
            .iter_mut()
            .for_each(|edge| edge.faces = [None, None]);
        self.vertices
            .iter_mut()
            .for_each(|vertex| vertex.faces.clear());
    }

    /// Removes every edge, and so every face.
    pub fn clear_edges(&mut self) {
        self.clear_faces();
        self.edges.clear();
        self.vertices
            .iter_mut()
            .for_each(|vertex| vertex.edges.clear());
    }

    /// Keeps these edges, and the faces all of whose edges are kept.
    pub fn keep_edges(&mut self, keep: impl Fn(usize) -> bool) {
        let kept: Vec<bool> = (0..self.edges.len()).map(keep).collect();
        let whole = |face: &Face| face.edges.iter().all(|edge| kept[*edge]);
        let faces: Vec<bool> = self.faces.iter().map(whole).collect();
        self.drop(None, Some(&kept), Some(&faces));
    }

    /// Removes vertices, with their edges and faces.
    pub fn keep_vertices(&mut self, keep: impl Fn(usize) -> bool) {
        let kept: Vec<bool> = (0..self.vertices.len()).map(keep).collect();
        let edges = self
            .edges
            .iter()
            .map(|edge| edge.ends.iter().all(|end| kept[*end]));
        let edges: Vec<bool> = edges.collect();
        let whole = |face: &Face| face.corners.iter().all(|corner| kept[*corner]);
        let faces: Vec<bool> = self.faces.iter().map(whole).collect();
        self.drop(Some(&kept), Some(&edges), Some(&faces));
    }

    /// Removes a face. With `and_edges`, also removes the edges that no other face has,
    /// and then the faces that are left open.
    pub fn remove_face(&mut self, face: usize, and_edges: bool) {
        let lonely = |edge: &Edge| {
            let [left, right] = edge.faces;
            left == Some(face) && right.is_none() || right == Some(face) && left.is_none()
        };
        let edges: Vec<bool> = self
            .edges
            .iter()
            .map(|edge| !(and_edges && lonely(edge)))
            .collect();
        let faces: Vec<bool> = (0..self.faces.len()).map(|other| other != face).collect();
        self.drop(None, Some(&edges), Some(&faces));
    }

    fn drop(&mut self, vertices: Option<&[bool]>, edges: Option<&[bool]>, faces: Option<&[bool]>) {
        let numbers = |kept: Option<&[bool]>, many: usize| -> Vec<Option<usize>> {
            let mut next = 0;
            let number = |index: usize| {
                let is_kept = kept.is_none_or(|kept| kept[index]);
                is_kept.then(|| {
                    next += 1;
                    next - 1
                })
            };
            (0..many).map(number).collect()
        };
        let vertex_numbers = numbers(vertices, self.vertices.len());
        let edge_numbers = numbers(edges, self.edges.len());
        let face_numbers = numbers(faces, self.faces.len());
        self.renumber(&vertex_numbers, &edge_numbers, &face_numbers);
    }

    /// Gives every element a new number, or removes it.
    fn renumber(
        &mut self,
        vertices: &[Option<usize>],
        edges: &[Option<usize>],
        faces: &[Option<usize>],
    ) {
        fn placed<T>(old: Vec<T>, numbers: &[Option<usize>]) -> Vec<T> {
            let kept = old.into_iter().zip(numbers);
            let mut kept: Vec<(usize, T)> = kept
                .filter_map(|(one, number)| Some(((*number)?, one)))
                .collect();
            kept.sort_by_key(|(number, _)| *number);
            kept.into_iter().map(|(_, one)| one).collect()
        }
        let among = |list: &mut Vec<usize>, numbers: &[Option<usize>]| {
            *list = list.iter().filter_map(|old| numbers[*old]).collect();
        };
        self.vertices = placed(std::mem::take(&mut self.vertices), vertices);
        self.edges = placed(std::mem::take(&mut self.edges), edges);
        self.faces = placed(std::mem::take(&mut self.faces), faces);
        for vertex in &mut self.vertices {
            among(&mut vertex.edges, edges);
            among(&mut vertex.faces, faces);
            vertex.pivot = vertex.pivot.and_then(|pivot| vertices[pivot]);
        }
        for edge in &mut self.edges {
            edge.ends = edge.ends.map(|end| vertices[end].unwrap_or_default());
            edge.faces = edge.faces.map(|face| faces[face?]);
        }
        for face in &mut self.faces {
            among(&mut face.corners, vertices);
            among(&mut face.edges, edges);
        }
    }

    /// Numbers all elements as players do: row by row from the bottom, each row from left
    /// to right.
    pub fn sort(&mut self) {
        for of in SiteType::ALL {
            self.sort_only(of);
        }
    }

    /// Numbers the elements of one type row by row from the bottom, each row from left to
    /// right. Elements are in one row if their heights differ by less than a hundredth of
    /// their horizontal distance.
    pub fn sort_only(&mut self, of: SiteType) {
        let score = |spot: Spot| spot.y * 100.0 + spot.x;
        let scores: Vec<f64> = self.spots(of).map(score).collect();
        let mut order: Vec<usize> = (0..scores.len()).collect();
        order.sort_by(|one, other| scores[*one].total_cmp(&scores[*other]));
        let mut numbers = vec![None; order.len()];
        for (number, old) in order.into_iter().enumerate() {
            numbers[old] = Some(number);
        }
        let same = |many: usize| (0..many).map(Some).collect::<Vec<_>>();
        let [vertices, edges, faces] = SiteType::ALL.map(|one| {
            if one == of {
                numbers.clone()
            } else {
                same(self.len(one))
            }
        });
        self.renumber(&vertices, &edges, &faces);
    }
}
